import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FaultPlan } from '@kubewright/apiserver';
import { ConfigMap, Namespace } from '@kubewright/api/core/v1';
import { compareResourceVersions } from '@kubewright/api/resource-version';
import {
  Client,
  Controller,
  type ControllerOptions,
  type Manager,
  type Reconciler,
  references,
  Result,
  watch,
} from '@kubewright/runtime';
import { TestEnvironment } from '@kubewright/testing';
import { Rack, rack } from './watched-kinds.js';

/**
 * Delays the events of every watch of a kind except the first watch. A read from a second watch would be older than an event of the first
 * watch.
 */
const LATE_SECOND_WATCH: FaultPlan = {
  onWatchEvent: ({ watch: number }) => (number > 1 ? { kind: 'delay', ms: 50 } : undefined),
};
const namespace = 'default';
const child = (value: string): ConfigMap => new ConfigMap({ metadata: { namespace, name: 'child' }, data: { value } });

/** Declarations of ConfigMaps in addition to `owns`. All declarations must share one informer. */
const BESIDE: Readonly<Record<string, Partial<ControllerOptions<Rack>>>> = {
  reads: { reads: [ConfigMap] },
  references: { watches: [references(ConfigMap, () => ['named', 'child'])] },
  'a watch by labels': { watches: [watch(ConfigMap, { labels: { tier: 'web' }, map: () => [] })] },
  'a watch by name': { watches: [watch(ConfigMap, { fields: { 'metadata.name': 'child' }, map: () => [] })] },
};

async function withManager(
  options: Partial<ControllerOptions<Rack>>,
  reconcile: (client: Client, object: Rack) => Promise<void>,
  run: (env: TestEnvironment, manager: Manager) => Promise<void>,
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
  await run(env, manager);
}

describe('declarations of one kind share one store', () => {
  for (const [beside, options] of Object.entries(BESIDE)) {
    test(`a controller with owns and ${beside} repairs a changed child, and recreates a deleted child`, () =>
      withManager(
        { owns: [ConfigMap], ...options },
        async (client, object) => {
          await client.applyOwned(object, [child('desired')]);
        },
        async (env, manager) => {
          for (let round = 0; round < 3; round++) {
            const made = await env.client.live.get(ConfigMap, child('').metadata);
            await env.client.patch(made, { merge: { data: { value: 'changed' } } });
            await env.settled();
            assert.equal((await env.client.live.get(ConfigMap, made.metadata)).data?.value, 'desired');
            await env.client.delete(made);
            await env.settled();
            assert.equal((await env.client.live.get(ConfigMap, made.metadata)).data?.value, 'desired');
          }
          assert.equal(manager.cache.informers().filter(({ kind }) => kind === 'ConfigMap').length, 1);
        },
      ));

    test(`a reconcile of a controller with owns and ${beside} reads no state that is older than the event that triggered the reconcile`, async () => {
      let delivered = '0';
      const reads: string[] = [];
      const when = ({ object }: { readonly object: ConfigMap }): boolean => {
        delivered = object.metadata.resourceVersion ?? '0';
        return true;
      };
      const labels = { tier: 'all' };
      await withManager(
        {
          owns: [ConfigMap],
          ...options,
          watches: [
            ...(options.watches ?? []),
            watch(ConfigMap, { labels, when, map: () => [{ namespace, name: 'parent' }] }),
          ],
        },
        async (client) => {
          const since = delivered;
          const object = await client.find(ConfigMap, { namespace, name: 'all' });
          const version = object?.metadata.resourceVersion ?? '0';
          if (compareResourceVersions(version, since) < 0) reads.push(`read ${version} after ${since}`);
        },
        async (env) => {
          const made = await env.client.create(new ConfigMap({ metadata: { namespace, name: 'all', labels } }));
          for (let at = 0; at < 20; at++) {
            await env.client.patch(made, { merge: { data: { at: `${at}` } } });
            if (at % 5 === 4) await env.settled();
          }
        },
      );
      assert.deepEqual(reads, []);
    });
  }

  test('a watch of Namespaces by labels and reads of Namespaces share one informer, and reads return the state of the events', async () => {
    const seen: (string | undefined)[] = [];
    let informers = 0;
    await withManager(
      {
        reads: [Namespace],
        watches: [watch(Namespace, { labels: { team: 'a' }, map: () => [{ namespace, name: 'parent' }] })],
      },
      async (client) => {
        const names = (await client.list(Namespace, { labels: { team: 'a' } })).map(({ metadata }) => metadata.name);
        seen.push(names.toSorted().join(','));
      },
      async (env, manager) => {
        const made = await env.client.create(new Namespace({ metadata: { name: 'one', labels: { team: 'a' } } }));
        await env.settled();
        await env.client.patch(made, { merge: { metadata: { labels: { team: 'b' } } } });
        await env.settled();
        informers = manager.cache.informers().filter(({ kind }) => kind === 'Namespace').length;
      },
    );
    assert.deepEqual([seen.at(-2), seen.at(-1), informers], ['one', '', 1]);
  });

  test('the client of a manager reads a Namespace that no declaration selects from the server', () =>
    withManager(
      { watches: [watch(Namespace, { labels: { team: 'a' }, map: () => [] })] },
      async () => undefined,
      async (env, manager) => {
        await env.client.create(new Namespace({ metadata: { name: 'stranger' } }));
        assert.equal((await manager.client.get(Namespace, { name: 'stranger' })).metadata.name, 'stranger');
        assert.equal((await manager.client.find(Namespace, { name: 'default' }))?.metadata.name, 'default');
        assert.equal(await manager.client.find(Namespace, { name: 'none' }), undefined);
        await assert.rejects(manager.client.list(Namespace), { code: 'SELECTION_INCOMPLETE', message: /'reads'/ });
        const metrics = await manager.metrics.text();
        assert.match(metrics, /kubewright_informer_live_reads_total\{[^}]*kind="Namespace"[^}]*\} 3\n/);
      },
    ));
});
