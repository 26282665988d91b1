import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Condition,
  CustomResource,
  Field,
  isConditionTrue,
  isControlledBy,
  Kind,
  setCondition,
} from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { ConfigMap } from '@kubewright/api/core/v1';
import {
  Client,
  Controller,
  index,
  isNotFound,
  KubewrightError,
  type ReconcileContext,
  type Reconciler,
  Result,
} from '@kubewright/runtime';
import { FakeClock } from './fake-clock.js';
import { faultSchedule } from './fault-schedule.js';
import { reconcileContext } from './reconcile-context.js';
import { TestEnvironment } from './test-environment.js';

class LampSpec {
  @Field.int32({ minimum: 1 }) bulbs!: number;
}
class LampStatus {
  @Field.int64({ optional: true }) observedGeneration?: number;
  @Field.int32({ optional: true }) runs?: number;
  @Field.conditions() conditions?: Condition[];
}
@Kind({ group: 'example.com', version: 'v1' })
class Lamp extends CustomResource(LampSpec, LampStatus) {}

const lamp = new Lamp({ metadata: { name: 'a', namespace: 'default' }, spec: { bulbs: 2 } });

/** A controller that owns a Deployment, requeues every 15 s until `lit` is true, and records the names of finalized objects. */
@Controller({ for: Lamp, owns: [Deployment] })
class LampController implements Reconciler<Lamp> {
  readonly thrownAway: string[] = [];
  lit = false;
  readonly #client: Client;
  constructor(client: Client) {
    this.#client = client;
  }
  async reconcile(object: Lamp): Promise<Result> {
    await this.#client.applyOwned(object, [deploymentFor(object)]);
    await this.#client.patchStatus(object, (status) => {
      status.runs = (status.runs ?? 0) + 1;
      setCondition(status, { type: 'Lit', status: this.lit, reason: this.lit ? 'Plugged' : 'Dark' });
    });
    return this.lit ? Result.done() : Result.requeueAfter('15s');
  }
  async finalize(object: Lamp, _context: ReconcileContext): Promise<Result> {
    this.thrownAway.push(object.metadata.name);
    return Result.done();
  }
}

function deploymentFor({ metadata: { name }, spec: { bulbs } }: Lamp): Deployment {
  const labels = { lamp: name };
  return new Deployment({
    metadata: { name },
    spec: {
      replicas: bulbs,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'bulb', image: 'bulb' }] } },
    },
  });
}

test('settled waits until children are created and ready and the status is updated', async () => {
  await using env = await TestEnvironment.start({ kinds: [Lamp], workloads: true });
  const controller = new LampController(env.client);
  controller.lit = true;
  await env.run(controller);
  const made = await env.client.create(lamp);
  await env.settled();
  const [deployment] = await env.client.listOwned(made, Deployment);
  assert.equal(deployment?.status?.availableReplicas, 2);
  assert.equal(isConditionTrue(await env.read(made), 'Lit'), true);
});

test('until waits for an object by kind and key before the object exists', async () => {
  await using env = await TestEnvironment.start({ kinds: [Lamp] });
  const child = env.until(Deployment, { namespace: 'default', name: 'a' }, ({ spec }) => spec.replicas === 2);
  await env.run(LampController);
  const made = await env.client.create(lamp);
  assert.equal(isControlledBy(await child, made), true);
});

test('a controller recreates a deleted child and reverts changes to a child', async () => {
  await using env = await TestEnvironment.start({ kinds: [Lamp] });
  await env.run(LampController);
  const made = await env.client.create(lamp);
  await env.settled();
  const [first] = await env.client.listOwned(made, Deployment);
  assert.ok(first);
  await env.client.delete(first);
  await env.settled();
  const [second] = await env.client.listOwned(made, Deployment);
  assert.ok(second && second.metadata.uid !== first.metadata.uid);
  await env.client.patch(second, (draft) => void (draft.spec.replicas = 9));
  await env.settled();
  assert.equal((await env.read(second)).spec.replicas, 2);
});

test('runs a requeue at its scheduled time and completes it before advance resolves', async () => {
  const clock = new FakeClock('2026-01-01T00:00:00Z');
  await using env = await TestEnvironment.start({ kinds: [Lamp], clock });
  const controller = new LampController(env.client);
  await env.run(controller);
  const made = await env.client.create(lamp);
  await env.settled();
  assert.equal(made.metadata.creationTimestamp, '2026-01-01T00:00:00Z');
  const { runs = 0 } = (await env.read(made)).status ?? {};
  await clock.advance('14s');
  assert.equal((await env.read(made)).status?.runs, runs);
  controller.lit = true;
  await clock.advance('1s');
  const { status } = await env.read(made);
  assert.equal(status?.runs, runs + 1);
  assert.equal(status?.conditions?.find(({ type }) => type === 'Lit')?.lastTransitionTime, '2026-01-01T00:00:15Z');
  await clock.advance('1h');
  assert.equal((await env.read(made)).status?.runs, runs + 1);
});

test('finalize runs before the object is deleted, and the children are deleted after the object', async () => {
  await using env = await TestEnvironment.start({ kinds: [Lamp] });
  const controller = new LampController(env.client);
  await env.run(controller);
  const made = await env.client.create(lamp);
  await env.settled();
  await env.client.delete(made);
  await env.settled();
  assert.deepEqual(controller.thrownAway, ['a']);
  await assert.rejects(env.read(made), isNotFound);
  assert.deepEqual(await env.client.list(Deployment), []);
});

test('reconcile returns its writes, result and object, and a second run applies no children', async () => {
  await using env = await TestEnvironment.start({ kinds: [Lamp] });
  const controller = new LampController(env.client);
  controller.lit = true;
  const made = await env.client.create(lamp);
  const first = await env.reconcile(controller, made);
  assert.deepEqual(
    first.writes.map(({ verb, subresource, object }) => [verb, subresource, object.kind]),
    [
      ['apply', undefined, 'Deployment'],
      ['patch', 'status', 'Lamp'],
    ],
  );
  assert.equal(first.error, undefined);
  assert.equal(first.result, Result.done());
  assert.equal(first.object.status?.observedGeneration, 1);
  assert.equal(first.object.metadata.finalizers?.length, 1);
  const second = await env.reconcile(controller, made);
  assert.deepEqual(
    second.writes.map(({ object }) => object.kind),
    ['Lamp'],
  );
  await env.client.delete(first.object);
  const last = await env.reconcile(controller, made);
  assert.deepEqual(controller.thrownAway, ['a']);
  assert.equal(last.error, undefined);
  await assert.rejects(env.read(made), isNotFound);
});

test('reconcile reports the same error as the controller if a reconciler returns no result', async () => {
  await using env = await TestEnvironment.start({ kinds: [Lamp], objects: [lamp] });
  const { error, result } = await env.reconcile({ reconcile: async () => undefined as never }, lamp);
  assert.ok(error instanceof KubewrightError && error.code === 'NO_RESULT');
  assert.match(error.message, /^reconcile of controller 'lamp' returned nothing: return Result\.done\(\)/);
  assert.equal(result, undefined);
});

test('reconcile supports only the indexes that the controller declares', async () => {
  const byBulbs = index(Lamp, 'bulbs', ({ spec }) => String(spec.bulbs));
  const byName = index(Lamp, 'name', ({ metadata }) => metadata.name);
  @Controller({ for: Lamp, indexes: [byBulbs] })
  class PairController implements Reconciler<Lamp> {
    constructor(private readonly client: Client) {}
    async reconcile(object: Lamp): Promise<Result> {
      const like = await this.client.list(Lamp, { index: byBulbs(String(object.spec.bulbs)) });
      const one = await this.client.list(Lamp, { index: [byBulbs(String(object.spec.bulbs))], limit: 1 });
      await this.client.patchStatus(object, { runs: 10 * like.length + one.length });
      if (object.spec.bulbs === 4) await this.client.list(Lamp, { index: byName('a') });
      return Result.done();
    }
  }
  const lampOf = (name: string, bulbs: number): Lamp =>
    new Lamp({ metadata: { name, namespace: 'default' }, spec: { bulbs } });
  await using env = await TestEnvironment.start({ kinds: [Lamp], objects: [lamp, lampOf('b', 2), lampOf('c', 4)] });
  const { error, object } = await env.reconcile(new PairController(env.client), lamp);
  assert.equal(error, undefined);
  assert.equal(object.status?.runs, 21);
  const other = await env.reconcile(new PairController(env.client), lampOf('c', 4));
  assert.ok(other.error instanceof KubewrightError && other.error.code === 'UNKNOWN_INDEX');
  assert.match(
    other.error.message,
    /unknown index 'name' \(declared indexes: bulbs\): list it under 'indexes' of the controller/,
  );
});

test('concurrent reconciles return only their own events', async () => {
  await using env = await TestEnvironment.start({ kinds: [Lamp] });
  const say = (text: string): Reconciler<Lamp> => ({
    reconcile: async (object) => {
      await env.client.live.list(ConfigMap);
      env.events.normal(object, 'Reported', text);
      return Result.done();
    },
  });
  const made = await env.client.create(lamp);
  const [a, b] = await Promise.all([env.reconcile(say('a'), made), env.reconcile(say('b'), made)]);
  assert.deepEqual(a.events, [{ type: 'Normal', reason: 'Reported', message: 'a' }]);
  assert.deepEqual(b.events, [{ type: 'Normal', reason: 'Reported', message: 'b' }]);
});

test('a manager converges under a seeded fault schedule', async () => {
  const faults = faultSchedule(11, { rate: 0.08 });
  faults.pause();
  await using env = await TestEnvironment.start({ kinds: [Lamp], workloads: true, faults });
  const manager = await env.run(LampController);
  faults.resume();
  for (let bulbs = 1; bulbs < 6; bulbs++) {
    faults.pause();
    await env.client.create(new Lamp({ metadata: { name: `lamp-${bulbs}`, namespace: 'default' }, spec: { bulbs } }));
    faults.resume();
    await env.settled();
  }
  assert.ok(faults.injected.length > 0);
  faults.pause();
  for (let bulbs = 1; bulbs < 6; bulbs++)
    manager.enqueue(LampController, { name: `lamp-${bulbs}`, namespace: 'default' });
  await env.settled();
  const deployments = await env.client.list(Deployment);
  assert.deepEqual(
    deployments.map(({ metadata, spec }) => `${metadata.name} ${spec.replicas}`).toSorted(),
    Array.from({ length: 5 }, (_, at) => `lamp-${at + 1} ${at + 1}`),
  );
});

test('start rejects a control plane whose programs are missing, and names the variable KUBEBUILDER_ASSETS in the message', async (context) => {
  const before = process.env['KUBEWRIGHT_CONTROL_PLANE'];
  context.after(() => {
    if (before === undefined) delete process.env['KUBEWRIGHT_CONTROL_PLANE'];
    else process.env['KUBEWRIGHT_CONTROL_PLANE'] = before;
  });
  process.env['KUBEWRIGHT_CONTROL_PLANE'] = '/there/is/no/such/folder';
  await assert.rejects(TestEnvironment.start({ server: 'control-plane' }), {
    code: 'NO_CONTROL_PLANE',
    message: /KUBEBUILDER_ASSETS/,
  });
});

test('reconcileContext creates a context with the given fields', () => {
  const context = reconcileContext({ attempt: 3 });
  assert.deepEqual([context.attempt, context.causes, context.signal.aborted], [3, [], false]);
});

test('a test environment emulates the selected Kubernetes version, and rejects a version without data', async () => {
  await using env = await TestEnvironment.start({ version: '1.35.2' });
  assert.equal(env.server.registry.kubernetes.gitVersion, 'v1.35.2+kubewright');
  const policies = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingAdmissionPolicy' };
  assert.equal(env.server.registry.findKind(policies.apiVersion, policies.kind), undefined);
  await assert.rejects(TestEnvironment.start({ version: '1.34' }), { code: 'INVALID_VERSION' });
});
