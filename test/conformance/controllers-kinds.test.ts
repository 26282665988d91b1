import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type KubeObject, metadataOnly, type OwnerReference } from '@kubewright/api';
import { Deployment, ReplicaSet } from '@kubewright/api/apps/v1';
import { ConfigMap } from '@kubewright/api/core/v1';
import {
  KeyController,
  Injectable,
  type KeyReconciler,
  Logger,
  type Manager,
  owned,
  type ReconcileKey,
  type Reconciler,
  Result,
  sourceOf,
  watch,
} from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { RecordingLogger } from './cached-cluster.js';
import { kinds, namespace, Rack, rack, Reported } from './watched-kinds.js';

const labels = { app: 'controllers-kinds' };
const podTemplate = {
  metadata: { labels },
  spec: { containers: [{ name: 'main', image: 'example.com/main:1' }] },
} as const;
const deployment = (name: string): Deployment =>
  new Deployment({
    metadata: { name, namespace },
    spec: { replicas: 0, selector: { matchLabels: labels }, template: podTemplate },
  });
const replicaSet = (name: string, ownerReferences: readonly OwnerReference[]): ReplicaSet =>
  new ReplicaSet({
    metadata: { name, namespace, labels, ownerReferences },
    spec: { replicas: 0, selector: { matchLabels: labels }, template: podTemplate },
  });
function owner({ apiVersion, kind, metadata }: KubeObject, controller = true): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller };
}
const configMap = (name: string, metadata: Partial<KubeObject['metadata']> = {}): ConfigMap =>
  new ConfigMap({ metadata: { name, namespace, ...metadata }, data: { of: name } });
/** Maps an object to the key with the same name. */
const same = ({ metadata: { name } }: KubeObject): readonly ReconcileKey[] => [{ namespace, name }];

describe('the objects that controllers reconcile', () => {
  let env: TestEnvironment;
  before(async () => {
    env = await startEnvironment({ kinds });
  });
  after(() => env[Symbol.asyncDispose]());
  /** Returns a reconcile function that adds the object and the causes to `reported`. */
  const reporting =
    (reported: Reported): Reconciler<KubeObject>['reconcile'] =>
    async ({ metadata }, { causes }) => {
      reported.add(metadata.name);
      for (const { kind, source } of causes) reported.add(`${metadata.name} ${kind} ${source ?? ''}`);
      return Result.done();
    };
  const informersOf = (manager: Manager, kind: string): number =>
    manager.status().informers.filter((informer) => informer.kind === kind).length;

  for (const [id, warmUp] of [
    ['CS-34', true],
    ['CS-35', false],
  ] as const) {
    test(`[${id}] with warmUp: ${warmUp}, a controller reconciles a Deployment when the Deployment is created, and when its ReplicaSet changes`, async () => {
      const reported = new Reported();
      await using manager = env.manager({ controllers: { warmUp } });
      const owns = [owned(ReplicaSet, { adopted: true })];
      manager.control({ for: Deployment, name: `deployments-${warmUp}`, owns }, reporting(reported));
      await manager.start();
      const name = `web-${warmUp}`;
      const made = await env.client.create(deployment(name));
      await reported.until(name);
      const child = await env.client.create(replicaSet(`${name}-1`, [owner(made)]));
      const cause = `${name} owned ReplicaSet ${namespace}/${name}-1`;
      await reported.until(`${cause} added`);
      await env.client.patch(child, ({ metadata }) => {
        metadata.labels = { ...metadata.labels, changed: 'yes' };
      });
      await reported.until(cause);
      await env.client.delete(child);
      await reported.until(`${cause} deleted`);
      await env.client.delete(made);
    });
  }

  test('[BD-17, BD-18, BD-19, BD-21] controllers reconcile controlling owners, all owners, and mapped keys, and apply each predicate only to its own declaration', async () => {
    const reported = new Reported();
    await using manager = env.manager();
    const never = (): boolean => false;
    const watches = [watch(ConfigMap, { labels: { mapped: 'yes' }, map: same })];
    const adopted = { adopted: true };
    manager.control({ for: Rack, name: 'first', owns: [owned(ConfigMap, adopted)], watches }, reporting(reported));
    const others = new Reported();
    const every = owned(ConfigMap, { ...adopted, everyOwner: true });
    const ignored = watch(ConfigMap, { map: () => assert.fail('the predicate rejects all events'), when: never });
    manager.control({ for: Rack, name: 'second', when: never, owns: [every], watches: [ignored] }, reporting(others));
    await manager.start();
    await env.client.create(rack('child'));
    const [main, spare] = [await env.client.create(rack('main')), await env.client.create(rack('spare'))];
    await reported.until('main', 'spare', 'child');
    const child = configMap('child', {
      ownerReferences: [owner(main), owner(spare, false)],
      labels: { mapped: 'yes' },
    });
    await env.client.create(child);
    const cause = `owned ConfigMap ${namespace}/child added`;
    await reported.until(`main ${cause}`, `child watched ConfigMap ${namespace}/child added`);
    await others.until(`main ${cause}`, `spare ${cause}`);
    await env.settled();
    assert.ok(!reported.all.includes(`spare ${cause}`));
    assert.deepEqual(
      others.all.filter((text) => text.includes(' added') && !text.includes('ConfigMap')),
      [],
    );
  });

  test('[BD-20] a controller without a kind reconciles the keys of its watches and sources, and the container injects the dependencies of its class', async () => {
    const reported = new Reported();
    @KeyController({
      name: 'tenants',
      watches: [watch(ConfigMap, { labels: { tenant: 'yes' }, map: ({ metadata }) => [{ name: metadata.name }] })],
      sources: [
        sourceOf('directory', async function* () {
          yield { namespace: 'europe', name: 'from-source' };
        }),
      ],
    })
    @Injectable()
    class TenantController implements KeyReconciler {
      readonly #log: Logger;
      constructor(log: Logger) {
        this.#log = log;
      }
      async reconcile({ namespace: of, name }: ReconcileKey): Promise<Result> {
        this.#log.info('reconciled');
        reported.add(`${of ?? ''}/${name}`);
        return Result.done();
      }
    }
    await using manager = env.manager().add(TenantController);
    await manager.start();
    await reported.until('europe/from-source');
    const made = await env.client.create(configMap('acme', { labels: { tenant: 'yes' } }));
    await reported.until('/acme');
    reported.clear();
    await env.client.delete(made);
    await reported.until('/acme');
    manager.enqueue(TenantController, { name: 'by-hand' });
    await reported.until('/by-hand');
    assert.deepEqual(manager.readiness(), { ready: true, reasons: [] });
    assert.deepEqual(
      manager.status().informers.map(({ kind }) => kind),
      ['ConfigMap'],
    );
  });

  test('[BD-22] several controllers that watch the metadata of a kind share one informer', async () => {
    const [one, two] = [new Reported(), new Reported()];
    await using manager = env.manager();
    for (const [name, reported] of Object.entries({ one, two })) {
      const watches = [watch(metadataOnly(ConfigMap), { map: same })];
      manager.control({ for: Rack, name, watches }, reporting(reported));
    }
    await manager.start();
    assert.equal(informersOf(manager, 'ConfigMap'), 1);
    await env.client.create(rack('shared'));
    await Promise.all([one.until('shared'), two.until('shared')]);
    await env.client.create(configMap('shared'));
    const cause = `shared watched ConfigMap ${namespace}/shared added`;
    await Promise.all([one.until(cause), two.until(cause)]);
    assert.ok(manager.cache.informers().every(({ kind, metadataOnly: bare }) => kind !== 'ConfigMap' || bare));
  });

  test('[BD-23] the reconciled, owned, and watched kinds of a controller with a finalizer can all be metadata-only', async () => {
    const reported = new Reported();
    await using manager = env.manager();
    const fields = new Set<string>();
    const seen = (object: KubeObject): void => {
      for (const field of Object.keys(object)) fields.add(field);
    };
    manager.control(
      {
        for: metadataOnly(Rack),
        name: 'bare',
        owns: [owned(metadataOnly(ReplicaSet), { adopted: true })],
        watches: [watch(metadataOnly(ConfigMap), { map: same })],
      },
      {
        reconcile: async (object, { causes }) => {
          seen(object);
          for (const { kind, source } of causes) reported.add(`${object.metadata.name} ${kind} ${source ?? ''}`);
          return Result.done();
        },
        finalize: async (object) => {
          seen(object);
          reported.add(`${object.metadata.name} finalized`);
          return Result.done();
        },
      },
    );
    await manager.start();
    const made = await env.client.create(rack('bare', 'not to be read'));
    await reported.until('bare added ');
    await env.client.create(replicaSet('bare-1', [owner(made)]));
    await reported.until(`bare owned ReplicaSet ${namespace}/bare-1 added`);
    await env.client.create(configMap('bare'));
    await reported.until(`bare watched ConfigMap ${namespace}/bare added`);
    await env.client.delete(made);
    await reported.until('bare finalized');
    await env.untilDeleted(made);
    assert.deepEqual([...fields].toSorted(), ['apiVersion', 'kind', 'metadata']);
  });

  test('[BD-14] a controller logs with the logger that its options create', async () => {
    const log = new RecordingLogger();
    await using manager = env.manager();
    manager.control({ for: Rack, name: 'logging', logger: () => log }, async (_, context) => {
      context.log.warn('by the logger of the controller');
      return Result.done();
    });
    await manager.start();
    await env.client.create(rack('logged'));
    await env.settled();
    assert.ok(log.warnings.includes('by the logger of the controller'));
  });

  test('a metadata-only controller reconciles an object when its spec changes', async () => {
    const reported = new Reported();
    await using manager = env.manager();
    manager.control({ for: metadataOnly(Rack), name: 'changes' }, reporting(reported));
    await manager.start();
    const made = await env.client.create(rack('changed', 'old'));
    await reported.until('changed');
    await env.settled();
    reported.clear();
    await env.client.patch(made, ({ spec }) => {
      spec.settings = 'new';
    });
    await reported.until('changed');
  });
});
