import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Condition, CustomResource, type Default, Field, Kind, setCondition } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { ConfigMap, Secret } from '@kubewright/api/core/v1';
import { KubewrightError } from '@kubewright/api/errors';
import {
  type Client,
  type EventRecorder,
  type FieldChange,
  type Manager,
  type Plan,
  type PlannedWrite,
  type PlanRequest,
  type Reconciler,
  Result,
  type TransportObserver,
} from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';

class SiteSpec {
  @Field.string({ minLength: 1 }) title!: string;
  @Field.int32({ minimum: 0 }) replicas: Default<number> = 2;
  @Field.list(Field.string(), { optional: true }) pages?: string[];
}
class SiteStatus {
  @Field.string({ optional: true }) seen?: string;
  @Field.int32({ optional: true }) observedGeneration?: number;
  @Field.conditions() conditions?: Condition[];
}
@Kind({ group: 'plan.example.com', version: 'v1' })
class Site extends CustomResource(SiteSpec, SiteStatus) {}

const namespace = 'default';
const methods: string[] = [];
const counting: TransportObserver = {
  request: ({ verb }) => {
    methods.push(verb);
    return undefined;
  },
};

class SiteReconciler implements Reconciler<Site> {
  readonly #client: Client;
  readonly #events: EventRecorder;
  constructor(manager: Manager) {
    this.#client = manager.client;
    this.#events = manager.events;
  }
  async reconcile(site: Site): Promise<Result> {
    const { name } = site.metadata;
    await this.#client.applyOwned(site, [
      ...(site.spec.pages ?? []).map((page) => this.#page(site, page)),
      deploymentFor(site),
      new Secret({ metadata: { name: `${name}-key` }, stringData: { password: `of ${site.spec.title}` } }),
    ]);
    const made = await this.#client.live.list(ConfigMap, { namespace, labels: { site: name } });
    const cached = await this.#client.listOwned(site, ConfigMap);
    this.#events.normal(site, 'Published', `${made.length} pages`);
    await this.#client.patchStatus(site, (status) => {
      status.seen = `${made.length} live, ${cached.length} cached`;
      setCondition(status, { type: 'Ready', status: true, reason: 'Published' });
    });
    return Result.requeueAfter('1m');
  }
  async finalize(site: Site): Promise<Result> {
    await this.#client.deleteAll(ConfigMap, { namespace, labels: { site: site.metadata.name } });
    return Result.done();
  }
  #page(site: Site, page: string): ConfigMap {
    const { name } = site.metadata;
    return new ConfigMap({ metadata: { name: `${name}-${page}`, labels: { site: name } }, data: { text: page } });
  }
}

function deploymentFor({ metadata, spec }: Site): Deployment {
  const labels = { app: metadata.name };
  const container = { name: 'web', image: `web:${spec.title}`, ports: [{ containerPort: 80 }] };
  return new Deployment({
    metadata: { name: metadata.name },
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  });
}
function site(name: string, spec: Partial<SiteSpec> & { readonly title: string }): Site {
  return new Site({ metadata: { name, namespace }, spec });
}

let env: TestEnvironment;
before(async () => {
  env = await startEnvironment({ kinds: [Site] });
});
after(() => env[Symbol.asyncDispose]());

function operator(): Manager {
  const manager = env.manager({ observers: [counting], leaderElection: { name: 'plan', namespace } });
  const options = { for: Site, name: 'sites', owns: [ConfigMap, Deployment, Secret] } as const;
  return manager.control(options, new SiteReconciler(manager));
}
/** Returns the plan for the request. Asserts that the manager sent only reads, and that no object changed. */
async function planned(request: PlanRequest): Promise<Plan> {
  const version = async (): Promise<readonly string[]> => {
    const kinds = [Site, ConfigMap, Deployment, Secret] as const;
    const lists = await Promise.all(kinds.map((kind) => env.client.list<Site>(kind as typeof Site, { namespace })));
    return lists.flat().map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.resourceVersion}`);
  };
  const were = await version();
  methods.length = 0;
  const plan = await operator().plan(request);
  assert.deepEqual(new Set(methods), new Set(['GET']));
  assert.deepEqual(await version(), were);
  return plan;
}
function reported({ verb, object, subresource, result }: PlannedWrite): string {
  return `${verb} ${object.kind} ${object.name}${subresource === undefined ? '' : `/${subresource}`} ${result}`;
}
function change(plan: Plan, at: number, field: string): FieldChange | undefined {
  return plan.writes[at]?.changes.find((each) => each.field === field);
}

test('a plan reports each write of a reconcile with its fields, reads its own planned writes, and sends only reads', async () => {
  await env.client.create(site('new', { title: 'One', pages: ['a', 'b'] }));
  const plan = await planned({ key: { namespace, name: 'new' } });
  assert.deepEqual(
    plan.writes.map(reported),
    [
      'patch Site new changed',
      'apply ConfigMap new-a created',
      'apply ConfigMap new-b created',
      'apply Deployment new created',
      'apply Secret new-key created',
      'patch Site new/status changed',
      'patch Site new/status changed',
    ].slice(0, plan.writes.length),
  );
  assert.equal(change(plan, 0, 'metadata.finalizers')?.from, undefined);
  assert.equal(change(plan, 3, 'spec.template.spec.containers[name=web].image')?.to, 'web:One');
  assert.deepEqual(change(plan, 4, 'data.password'), { field: 'data.password', secret: true });
  assert.ok(!JSON.stringify(plan).includes(Buffer.from('of One').toString('base64')));
  assert.equal(change(plan, 5, 'status.seen')?.to, '2 live, 2 cached');
  assert.equal(change(plan, 5, 'status.conditions[type=Ready].status')?.to, 'True');
  assert.deepEqual(
    plan.events.map(({ reason, message, about }) => [reason, message, about]),
    [['Published', '2 pages', 'Site default/new']],
  );
  assert.deepEqual(plan.outcome, { kind: 'requeueAfter', delayMs: 60_000 });
  assert.deepEqual([plan.controller, plan.object], ['sites', 'Site default/new']);
});

test('a manager makes the writes of its plan, and a later plan contains no writes', async () => {
  const made = await env.client.create(site('same', { title: 'Same', pages: ['a'] }));
  const plan = await planned({ key: { namespace, name: 'same' } });
  const manager = operator();
  await manager.start();
  await env.until(made, ({ status }) => status?.seen !== undefined);
  await env.settled();
  await manager.stop();
  const written = await env.client.get(Site, { namespace, name: 'same' });
  assert.equal(written.status?.seen, change(plan, 4, 'status.seen')?.to);
  assert.deepEqual(written.metadata.finalizers, change(plan, 0, 'metadata.finalizers')?.to);
  const again = await planned({ key: { namespace, name: 'same' } });
  assert.deepEqual(again.writes.map(reported), []);
});

test('the plan of a change reports the old and the new values, and the children to delete', async () => {
  const key = { namespace, name: 'same' };
  const now = await env.client.get(Site, key);
  const { title } = now.spec;
  const suppose = { ...now, spec: { title: `${title}r`, replicas: 5 } };
  const plan = await planned({ suppose });
  assert.deepEqual(plan.writes.map(reported).slice(0, 3), [
    'apply Deployment same changed',
    'apply Secret same-key changed',
    'delete ConfigMap same-a deleted',
  ]);
  assert.deepEqual(plan.writes[0]?.changes, [
    { field: 'spec.replicas', from: 2, to: 5 },
    { field: 'spec.template.spec.containers[name=web].image', from: 'web:Same', to: 'web:Samer' },
  ]);
  assert.deepEqual(plan.writes[1]?.changes, [{ field: 'data.password', secret: true }]);
  assert.equal(
    plan.writes.flatMap(({ changes }) => changes).find(({ field }) => field === 'status.seen')?.to,
    '0 live, 0 cached',
  );
});

test('the plan of an absent object reports the writes for the object with the defaults of its kind', async () => {
  const suppose = { ...site('supposed', { title: 'S' }), spec: { title: 'S' } } as unknown as Site;
  const plan = await planned({ suppose });
  const deployment = plan.writes.find(({ object }) => object.kind === 'Deployment');
  assert.equal(deployment?.changes.find(({ field }) => field === 'spec.replicas')?.to, 2);
  await assert.rejects(
    planned({ key: { namespace, name: 'supposed' } }),
    (error) => error instanceof KubewrightError && error.code === 'NO_SUCH_OBJECT',
  );
});

test('the plan of a deletion reports the cleanup and the deletion of the object', async () => {
  const now = await env.client.get(Site, { namespace, name: 'same' });
  await env.client.delete(now);
  const plan = await planned({ key: { namespace, name: 'same' } });
  assert.deepEqual(plan.writes.map(reported), ['delete ConfigMap same-a deleted', 'patch Site same deleted']);
  assert.deepEqual(plan.outcome, { kind: 'done' });
});

test('manager.plan selects a controller by its unique name in the manager, even if several controllers have the same name in their options', async () => {
  await env.client.create(site('twin', { title: 'T' }));
  for (const [controller, at] of [
    ['twin', 0],
    ['twin-2', 1],
  ] as const) {
    const reconciles = [0, 0];
    const manager = env.manager({ controllers: { sameName: true } });
    for (const index of [0, 1]) {
      manager.control({ for: Site, name: 'twin' }, async () => {
        reconciles[index] = 1;
        return Result.done();
      });
    }
    const plan = await manager.plan({ controller, key: { namespace, name: 'twin' } });
    assert.deepEqual([plan.controller, reconciles], [controller, [0, 1].map((index) => (index === at ? 1 : 0))]);
  }
});

test('a plan reports the error of a failing reconcile, such as an error that the server would return for a write', async () => {
  await env.client.create(new ConfigMap({ metadata: { name: 'taken', namespace } }));
  await env.client.create(site('failing', { title: 'F' }));
  const manager = env.manager({ observers: [counting] });
  manager.control({ for: Site, name: 'failing' }, async () => {
    await manager.client.create(new ConfigMap({ metadata: { name: 'taken', namespace } }));
    return Result.done();
  });
  methods.length = 0;
  const plan = await manager.plan({ key: { namespace, name: 'failing' } });
  assert.deepEqual(new Set(methods), new Set(['GET']));
  assert.equal(plan.outcome.kind, 'error');
  assert.match('message' in plan.outcome ? plan.outcome.message : '', /configmaps "taken" already exists/);
  await assert.rejects(
    env.manager().plan({ controller: 'nobody', key: { name: 'x' } }),
    (error) => error instanceof KubewrightError && error.code === 'UNKNOWN_CONTROLLER',
  );
});
