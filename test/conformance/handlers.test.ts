import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type KubeObject, metadataOnly, type OwnerReference } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { type ControllerOptions, type Manager, owned, references, Result, watch } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { Hall, kinds, namespace, Rack, rack, Reported } from './watched-kinds.js';

describe('reconciles that changes of watched objects trigger', () => {
  let env: TestEnvironment;
  let controllers = 0;
  before(async () => {
    env = await startEnvironment({ kinds });
  });
  after(() => env[Symbol.asyncDispose]());

  async function run<T extends KubeObject>(
    options: ControllerOptions<T>,
    reported = new Reported(),
  ): Promise<{ readonly reported: Reported; readonly manager: Manager }> {
    const manager = env.manager();
    manager.control({ name: `handlers-${++controllers}`, ...options }, async ({ metadata }, { causes }) => {
      for (const { kind, source } of causes)
        reported.add(`${metadata.name} ${source === undefined ? kind : `${kind} ${source}`}`);
      return Result.done();
    });
    await manager.start();
    return { reported, manager };
  }
  function configMap(name: string, metadata: Partial<KubeObject['metadata']> = {}): ConfigMap {
    return new ConfigMap({ metadata: { name, namespace, ...metadata }, data: { of: name } });
  }
  function owner(object: KubeObject, more: Partial<OwnerReference> = {}): OwnerReference {
    const { apiVersion, kind, metadata } = object;
    return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true, ...more };
  }

  test('[HD-01, HD-03] a controller reconciles an object that is created or changed', async () => {
    const { reported, manager } = await run({ for: Rack });
    const made = await env.client.create(rack('own'));
    await reported.until('own added');
    await env.client.patch(made, ({ spec }) => {
      spec.settings = 'other';
    });
    await reported.until('own modified');
    await manager.stop();
  });

  test('[HD-06, HD-07, HD-08] a controller reconciles the mapped objects when a watched object is created, changed (old and new state), and deleted', async () => {
    const map = ({ metadata }: KubeObject) =>
      [{ namespace, name: metadata.labels?.['rack'] ?? '' }].filter(({ name }) => name);
    const { reported, manager } = await run({ for: Rack, watches: [watch(ConfigMap, { map })] });
    for (const name of ['mapped-old', 'mapped-new']) await env.client.create(rack(name));
    await reported.until('mapped-old added', 'mapped-new added');
    const made = await env.client.create(configMap('mapped', { labels: { rack: 'mapped-old' } }));
    await reported.until(`mapped-old watched ConfigMap ${namespace}/mapped added`);
    await env.client.patch(made, ({ metadata }) => {
      metadata.labels = { rack: 'mapped-new' };
    });
    const changed = `watched ConfigMap ${namespace}/mapped`;
    await reported.until(`mapped-old ${changed}`, `mapped-new ${changed}`);
    await env.client.delete(made);
    await reported.until(`mapped-new ${changed} deleted`);
    assert.ok(!reported.all.includes(`mapped-old ${changed} deleted`));
    await manager.stop();
  });

  test('[HD-10, HD-11, HD-12, HD-16] a controller reconciles the owner when a child is created, changed, and deleted, even if the child refers to another version', async () => {
    const { reported, manager } = await run({ for: Rack, owns: [owned(ConfigMap, { adopted: true })] });
    const [first, second] = [await env.client.create(rack('first')), await env.client.create(rack('second'))];
    await reported.until('first added', 'second added');
    const child = await env.client.create(configMap('child', { ownerReferences: [owner(first)] }));
    await reported.until(`first owned ConfigMap ${namespace}/child added`);
    await env.client.patch(child, ({ metadata }) => {
      metadata.ownerReferences = [owner(second, { apiVersion: 'watch.example.com/v1alpha1' })] as never;
    });
    await reported.until(`first owned ConfigMap ${namespace}/child`, `second owned ConfigMap ${namespace}/child`);
    await env.client.delete(child);
    await reported.until(`second owned ConfigMap ${namespace}/child deleted`);
    await manager.stop();
  });

  test('[HD-17, HD-19, HD-20, HD-22] a controller finds a cluster-scoped owner by its name, and reconciles non-controlling owners with everyOwner', async () => {
    const hall = await env.client.create(new Hall({ metadata: { name: 'hall' }, spec: {} }));
    const annex = await env.client.create(new Hall({ metadata: { name: 'annex' }, spec: {} }));
    const alone = await run({ for: Hall, owns: [owned(ConfigMap, { adopted: true })] });
    const all = await run({ for: Hall, owns: [owned(ConfigMap, { adopted: true, everyOwner: true })] });
    await env.client.create(
      configMap('furniture', { ownerReferences: [owner(annex, { controller: false }), owner(hall)] }),
    );
    const cause = `owned ConfigMap ${namespace}/furniture added`;
    await all.reported.until(`hall ${cause}`, `annex ${cause}`);
    await alone.reported.until(`hall ${cause}`);
    await env.settled();
    assert.ok(!alone.reported.all.includes(`annex ${cause}`));
    await Promise.all([alone.manager.stop(), all.manager.stop()]);
  });

  test('[HD-26, HD-27] a controller calls each function under `on` of a watch only for its change type', async () => {
    const calls: string[] = [];
    const { reported, manager } = await run({
      for: Rack,
      watches: [
        watch(ConfigMap, {
          labels: { app: 'functions' },
          on: {
            added: ({ metadata }) => {
              calls.push(`added ${metadata.name}`);
              return [{ namespace, name: 'functions' }];
            },
            deleted: ({ metadata }) => {
              calls.push(`deleted ${metadata.name}`);
              return [{ namespace, name: 'functions' }];
            },
          },
        }),
      ],
    });
    await env.client.create(rack('functions'));
    await reported.until('functions added');
    const made = await env.client.create(configMap('functions', { labels: { app: 'functions' } }));
    await reported.until(`functions watched ConfigMap ${namespace}/functions added`);
    await env.client.patch(made, (draft) => {
      draft.data = { of: 'other' };
    });
    await env.client.delete(made);
    await reported.until(`functions watched ConfigMap ${namespace}/functions deleted`);
    assert.deepEqual(calls, ['added functions', 'deleted functions']);
    await manager.stop();
  });

  test('[HD-28, HD-29] if an object is created during the initial list, the controller reconciles it before the remaining objects of the list', async () => {
    for (const name of ['list-1', 'list-2', 'list-3']) await env.client.create(rack(name));
    const order: string[] = [];
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const begun = new Reported();
    const manager = env.manager();
    manager.control({ for: Rack, name: 'first-list', when: () => true }, async ({ metadata }) => {
      order.push(metadata.name);
      begun.add(metadata.name);
      if (order.length === 1) await released;
      return Result.done();
    });
    await manager.start();
    await env.client.create(rack('made-later'));
    // The first reconcile occupies the only worker. The queue contains the remaining objects of the list and the object created later.
    const queued = (): boolean => manager.stats().get('first-list')?.queue.depthByPriority.get(0) === 1;
    if (!queued()) {
      await new Promise<void>((resolve) => {
        const end = manager.onActivity(() => {
          if (!queued()) return;
          end();
          resolve();
        });
      });
    }
    release();
    await begun.until('list-1', 'list-2', 'list-3', 'made-later');
    assert.equal(order[1], 'made-later');
    await manager.stop();
  });

  test('a watch receives only objects with its fields and namespaces, and only metadata if it is declared with metadataOnly', async () => {
    const seen: string[] = [];
    const keysOf = (): [] => [];
    const note =
      (what: string) =>
      (object: KubeObject): [] => {
        seen.push(
          `${what} ${object.metadata.namespace}/${object.metadata.name} ${'data' in object ? 'whole' : 'metadata'}`,
        );
        return [];
      };
    const app = { app: 'selected' };
    await env.client.create(configMap('chosen', { labels: app }));
    await env.client.create(configMap('other', { labels: app }));
    await env.client.create(configMap('far', { labels: app, namespace: 'kube-public' }));
    const { manager } = await run({
      for: Rack,
      watches: [
        watch(ConfigMap, { labels: app, fields: { 'metadata.name': 'chosen' }, map: note('fields') }),
        watch(ConfigMap, { labels: app, namespaces: ['kube-public'], map: note('namespace') }),
        watch(metadataOnly(ConfigMap), { labels: app, fields: 'metadata.name=other', map: note('metadata') }),
        references(Hall, keysOf),
      ],
    });
    assert.deepEqual(seen.toSorted(), [
      'fields default/chosen whole',
      'metadata default/other metadata',
      'namespace kube-public/far whole',
    ]);
    await manager.stop();
  });
});
