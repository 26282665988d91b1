import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { CustomResource, dynamicKind, Field, Kind } from '@kubewright/api';
import {
  type Client,
  type ControllerOptions,
  index,
  type Manager,
  owned,
  type ReconcileContext,
  references,
  Result,
  watch,
} from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { hasCode } from './client-kinds.js';
import { namespace, Rack, rack, Reported } from './watched-kinds.js';

class ProbeSpec {
  @Field.string({ optional: true }) target?: string;
}
/** A kind whose definition the tests install and remove. */
@Kind({ group: 'optional.example.com', version: 'v1' })
class Probe extends CustomResource(ProbeSpec) {}
/** The kind Probe, known only by name. */
const ProbeByName = dynamicKind('optional.example.com/v1', 'Probe');

const notServed = hasCode('KIND_NOT_SERVED');
const probesByTarget = index(Probe, 'target', (probe) => probe.spec.target);

function probe(name: string, target?: string): Probe {
  return new Probe({ metadata: { name, namespace }, spec: target === undefined ? {} : { target } });
}

describe('optional kinds', () => {
  let env: TestEnvironment;
  let manager: Manager;
  const reported = new Reported();

  before(async () => {
    env = await startEnvironment({ kinds: [Rack] });
  });
  after(() => env[Symbol.asyncDispose]());
  beforeEach(async () => {
    reported.clear();
    await env.client.create(rack('a', 'settings'));
  });
  afterEach(async () => {
    await manager.stop();
    await env.uninstall({ kinds: [Probe] });
    await env.client.delete(Rack, { namespace, name: 'a' });
  });

  /** Starts a controller of racks that adds each outcome and its causes to `reported`. */
  async function started(
    options: Partial<ControllerOptions<Rack>>,
    reconcile: (given: Rack, client: Client, context: ReconcileContext) => Promise<string> = async () => 'ran',
  ): Promise<void> {
    manager = env.manager();
    manager.control({ for: Rack, name: 'racks', ...options }, async (given, context) => {
      const outcome = await reconcile(given, manager.client, context);
      for (const { kind, source = '' } of context.causes) reported.add(`${outcome} because ${kind} ${source}`);
      reported.add(outcome);
      return Result.done();
    });
    await manager.start();
  }
  const codeOf = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'done',
      (error: unknown) => String((error as { readonly code?: unknown }).code),
    );
  async function gauge(): Promise<string | undefined> {
    const text = await manager.metrics.text();
    return /^kubewright_optional_kind_served\{.*kind="Probe".*\} (\d)$/m.exec(text)?.[1];
  }

  for (const [how, kind, rounds] of [['a class', Probe, 2] as const, ['a name', ProbeByName, 1] as const]) {
    test(`an optional owned kind, referred to by ${how}, is dormant until its definition is installed, and after its definition is removed`, async () => {
      await started({ owns: [{ kind, optional: true }] }, async (given, client) => {
        if (!(await client.isServed(kind))) {
          // The client rejects a child of the dormant kind, and prunes children of other kinds as usual.
          assert.equal(await codeOf(client.applyOwned(given, [probe('a')], { set: 'probes' })), 'KIND_NOT_SERVED');
          await client.applyOwned(given, []);
          return 'dormant';
        }
        await client.applyOwned(given, [probe('a')]);
        return 'applied';
      });
      await reported.until('dormant');
      assert.deepEqual(manager.readiness().reasons, []);
      assert.equal(await gauge(), '0');
      for (let round = 0; round < rounds; round++) {
        reported.clear();
        await env.install({ kinds: [Probe] });
        await reported.until('applied', 'applied because watched Probe of optional.example.com/v1 is served');
        assert.equal(await gauge(), '1');
        // The watch delivers the deletion, and the child is created again.
        reported.clear();
        await env.client.delete(Probe, { namespace, name: 'a' });
        await reported.until('applied because owned Probe default/a deleted');
        assert.equal((await env.client.get(Probe, { namespace, name: 'a' })).metadata.name, 'a');
        reported.clear();
        await env.uninstall({ kinds: [Probe] });
        await reported.until('dormant because watched Probe of optional.example.com/v1 is no longer served');
        assert.deepEqual(manager.readiness().reasons, []);
        assert.equal(manager.status().state, 'running');
        assert.equal(await gauge(), '0');
      }
    });
  }

  test('reads and writes of a dormant kind fail with KIND_NOT_SERVED, and never report an object as absent', async () => {
    await started({ reads: [{ kind: Probe, optional: true }], indexes: [probesByTarget] });
    await reported.until('ran');
    const { client } = manager;
    const key = { namespace, name: 'a' };
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      get: () => client.get(Probe, key),
      find: () => client.find(Probe, key),
      list: () => client.list(Probe),
      'indexed list': () => client.list(Probe, { index: probesByTarget('a') }),
      'live find': () => client.live.find(Probe, key),
      'live list': () => client.live.list(Probe),
      create: () => client.create(probe('a')),
      apply: () => client.apply(probe('a')),
      delete: () => client.delete(Probe, key),
      deleteAll: () => client.deleteAll(Probe, { namespace }),
    };
    for (const [call, run] of Object.entries(calls)) await assert.rejects(run(), notServed, call);
    await assert.rejects(client.get(Probe, key), /CustomResourceDefinition probes\.optional\.example\.com/);
    assert.equal(await client.isServed(Probe), false);

    await env.install({ kinds: [Probe] });
    // The client asks the API server whether the kind is served, and does not wait for the next periodic check.
    await client.create(probe('a', 'x'));
    assert.equal(await client.isServed(Probe), true);
    assert.equal((await client.get(Probe, key)).metadata.name, 'a');
    assert.deepEqual(
      (await client.list(Probe, { index: probesByTarget('x') })).map(({ metadata }) => metadata.name),
      ['a'],
    );
    reported.clear();
    await env.uninstall({ kinds: [Probe] });
    // A 404 is not reported as an absent object, even before the manager has detected the removal.
    await assert.rejects(client.live.find(Probe, key), notServed);
    await reported.until('ran because watched Probe of optional.example.com/v1 is no longer served');
    for (const [call, run] of Object.entries(calls)) await assert.rejects(run(), notServed, call);
  });

  const watches: readonly (readonly [name: string, options: Partial<ControllerOptions<Rack>>])[] = [
    ['owned()', { owns: [owned(Probe, { optional: true, adopted: true })] }],
    ['references()', { watches: [references(Probe, () => 'a', { optional: true })] }],
    ['watch()', { watches: [watch(Probe, { optional: true, map: () => [{ namespace, name: 'a' }] })] }],
  ];
  for (const [name, options] of watches) {
    test(`a dormant ${name} triggers a reconcile for an object that is created after the definition is installed`, async () => {
      await started(options);
      await reported.until('ran');
      reported.clear();
      await env.install({ kinds: [Probe] });
      const parent = await env.client.get(Rack, { namespace, name: 'a' });
      await env.client.create(probe('a'), { owner: parent });
      const kind = name === 'owned()' ? 'owned' : 'watched';
      await reported.until(`ran because ${kind} Probe default/a added`);
    });
  }

  test('before the first reconcile, a controller lists an optional kind that is served at the start', async () => {
    await env.install({ kinds: [Probe] });
    await env.client.create(probe('b'));
    await started({ reads: [{ kind: Probe, optional: true }] }, async (_, client) => {
      const probes = await client.list(Probe);
      return probes.map(({ metadata }) => metadata.name).join();
    });
    await reported.until('b');
  });

  test('a watch of an optional kind can be added and removed while the kind is dormant', async () => {
    await started({});
    await reported.until('ran');
    const added = await manager
      .controller('racks')
      .watch(watch(Probe, { optional: true, map: () => [{ namespace, name: 'a' }] }));
    assert.equal(await gauge(), '0');
    await added[Symbol.asyncDispose]();
    assert.equal(await gauge(), undefined, 'the manager no longer checks whether the kind is served');
  });

  test('the manager does not start without a kind that one controller requires, even if the kind is optional for another controller', async () => {
    manager = env.manager();
    manager.control({ for: Rack, name: 'first', owns: [{ kind: Probe, optional: true }] }, async () => Result.done());
    manager.control({ for: Rack, name: 'second', owns: [Probe], syncTimeout: '1s' }, async () => Result.done());
    await assert.rejects(manager.start(), hasCode('NOT_SYNCED'));
  });
});
