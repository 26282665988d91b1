import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type KubeObject, metadataOnly } from '@kubewright/api';
import type { FaultPlan } from '@kubewright/apiserver';
import { ConfigMap } from '@kubewright/api/core/v1';
import { compareResourceVersions } from '@kubewright/api/resource-version';
import { Client, Controller, type ControllerOptions, type Reconciler, Result, watch } from '@kubewright/runtime';
import { TestEnvironment } from '@kubewright/testing';
import { Rack, rack } from './watched-kinds.js';

const namespace = 'default';
const labels = { tier: 'all' };
const toParent = () => [{ namespace, name: 'parent' }];

/** Delays the events of every watch of a kind except the first watch. */
const LATE_SECOND_WATCH: FaultPlan = {
  onWatchEvent: ({ watch: number }) => (number > 1 ? { kind: 'delay', ms: 50 } : undefined),
};

async function withController(
  options: Partial<ControllerOptions<Rack>>,
  reconcile: (client: Client, object: Rack) => Promise<void>,
  run: (env: TestEnvironment) => Promise<void>,
): Promise<void> {
  await using env = await TestEnvironment.start({ kinds: [Rack], faults: LATE_SECOND_WATCH });
  await env.client.create(rack('parent'));
  @Controller({ for: Rack, name: 'guarded', ...options })
  class GuardedController implements Reconciler<Rack> {
    constructor(private readonly client: Client) {}
    async reconcile(object: Rack): Promise<Result> {
      await reconcile(this.client, object);
      return Result.done();
    }
  }
  const manager = env.manager();
  manager.add(GuardedController);
  await manager.start();
  await env.settled();
  await run(env);
}

/** Records the newest resourceVersion that an event delivered, and the reads that returned an older resourceVersion. */
class Versions {
  readonly older: string[] = [];
  #delivered = '0';
  readonly when = ({ object: { metadata } }: { readonly object: KubeObject }): boolean => {
    if (metadata.namespace === namespace && metadata.name !== 'kube-root-ca.crt') {
      this.#delivered = metadata.resourceVersion;
    }
    return true;
  };
  get delivered(): string {
    return this.#delivered;
  }
  check(what: string, object: KubeObject | undefined, since: string): void {
    const version = object?.metadata.resourceVersion ?? 'absent';
    if (version === 'absent' || compareResourceVersions(version, since) < 0) {
      this.older.push(`${what} read ${version} after ${since}`);
    }
  }
}

describe('metadata and whole objects of one kind in two stores', () => {
  test('a reconcile of a metadata event reads a whole object that is at least as new as the event', async () => {
    const versions = new Versions();
    await withController(
      {
        watches: [
          watch(metadataOnly(ConfigMap), { map: toParent, when: versions.when }),
          watch(ConfigMap, { labels, map: () => [] }),
        ],
      },
      async (client) => {
        const since = versions.delivered;
        if (since === '0') return;
        versions.check('find', await client.find(ConfigMap, { namespace, name: 'one' }), since);
        const [listed] = await client.list(ConfigMap, { labels });
        versions.check('list', listed, since);
      },
      async (env) => {
        const made = await env.client.create(new ConfigMap({ metadata: { namespace, name: 'one', labels } }));
        for (let at = 0; at < 10; at++) {
          await env.client.patch(made, { merge: { data: { at: `${at}` } } });
          if (at % 3 === 2) await env.settled();
        }
      },
    );
    assert.notEqual(versions.delivered, '0');
    assert.deepEqual(versions.older, []);
  });

  test('reconcile receives an object that is at least as new as the metadata event that triggered the reconcile', async () => {
    const versions = new Versions();
    const both = [namespace, 'other'];
    await withController(
      {
        namespaces: [namespace],
        watches: [
          watch(metadataOnly(Rack), { namespaces: both, map: (object) => [object.metadata], when: versions.when }),
        ],
      },
      async (_, object) => versions.check('reconcile', object, versions.delivered),
      async (env) => {
        const made = await env.client.get(Rack, { namespace, name: 'parent' });
        for (let at = 0; at < 5; at++) {
          await env.client.patch(made, { merge: { spec: { settings: `${at}` } } });
          await env.settled();
        }
      },
    );
    assert.deepEqual(versions.older, []);
  });

  test('applyOwned prunes children of a kind whose metadata is also watched with other labels', () =>
    withController(
      { owns: [ConfigMap], watches: [watch(metadataOnly(ConfigMap), { labels, map: toParent })] },
      async (client, object) => {
        const found = await client.find(metadataOnly(ConfigMap), { namespace, name: 'one' });
        assert.equal((await client.list(metadataOnly(ConfigMap), { labels })).length, found === undefined ? 0 : 1);
        const name = found === undefined ? 'without' : 'with';
        await client.applyOwned(object, [new ConfigMap({ metadata: { namespace, name } })]);
      },
      async (env) => {
        const names = async () =>
          (await env.client.list(ConfigMap, { namespace }))
            .map(({ metadata: { name } }) => name)
            .filter((name) => name.startsWith('with'));
        assert.deepEqual(await names(), ['without']);
        await env.client.create(new ConfigMap({ metadata: { namespace, name: 'one', labels } }));
        await env.settled();
        assert.deepEqual(await names(), ['with']);
      },
    ));
});
