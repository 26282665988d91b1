import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { metadataOnly } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import {
  type CacheOptions,
  Client,
  Controller,
  type ControllerOptions,
  type Manager,
  type Reconciler,
  references,
  Result,
} from '@kubewright/runtime';
import { TestEnvironment } from '@kubewright/testing';
import { Hall, kinds, namespace, Rack, rack } from './watched-kinds.js';

const settings = (name: string, value: string, within = namespace): ConfigMap =>
  new ConfigMap({ metadata: { name, namespace: within }, data: { value } });
const named = references(ConfigMap, (object: Rack) => object.spec.settings?.split(','));

/** A running manager, and the results of its reconciles. Each reconcile reads the ConfigMaps that a rack references. */
interface Run {
  readonly env: TestEnvironment;
  readonly manager: Manager;
  /** The last result by rack. */
  readonly seen: ReadonlyMap<string, string>;
  /** Returns the number of cached ConfigMaps. */
  readonly cached: () => number;
}

async function withRacks(
  racks: readonly Rack[],
  run: (run: Run) => Promise<void>,
  given: { readonly cache?: CacheOptions; readonly options?: Partial<ControllerOptions<Rack>> } = {},
): Promise<void> {
  const objects = [...racks, ...['one', 'two', 'other'].map((name) => settings(name, 'first'))];
  await using env = await TestEnvironment.start({ kinds, objects });
  const seen = new Map<string, string>();
  @Controller({ for: Rack, name: 'racks', watches: [named], ...given.options })
  class RackController implements Reconciler<Rack> {
    constructor(private readonly client: Client) {}
    async reconcile({ metadata, spec }: Rack): Promise<Result> {
      const texts: string[] = [];
      for (const name of spec.settings?.split(',') ?? []) {
        const found = await this.client.find(ConfigMap, { namespace, name });
        texts.push(`${name}=${found?.data?.value ?? 'absent'}`);
      }
      seen.set(metadata.name, texts.join(' '));
      return Result.done();
    }
  }
  const manager = env.manager({ cache: given.cache ?? {} }).add(RackController);
  await manager.start();
  await env.settled();
  const cached = (): number =>
    manager.cache
      .informers()
      .filter(({ kind }) => kind === 'ConfigMap')
      .reduce((sum, { size }) => sum + size, 0);
  await run({ env, manager, seen, cached });
}

for (const maxNamedWatches of [1, 20]) {
  describe(`references with up to ${maxNamedWatches} watches by name`, () => {
    const cache = { maxNamedWatches };

    test('a controller caches the referenced objects and no other objects', () =>
      withRacks(
        [rack('a', 'one,two')],
        async ({ env, seen, cached }) => {
          assert.equal(seen.get('a'), 'one=first two=first');
          await env.client.create(settings('third', 'first'));
          await env.settled();
          assert.equal(cached(), 2);
        },
        { cache },
      ));

    test('a controller reconciles an object when an object that it references is created, changed, and deleted', () =>
      withRacks(
        [rack('a', 'one,late,later')],
        async ({ env, seen }) => {
          assert.equal(seen.get('a'), 'one=first late=absent later=absent');
          const late = await env.client.create(settings('late', 'created'));
          await env.settled();
          assert.equal(seen.get('a'), 'one=first late=created later=absent');
          await env.client.patch(late, { merge: { data: { value: 'changed' } } });
          await env.settled();
          assert.equal(seen.get('a'), 'one=first late=changed later=absent');
          await env.client.delete(late);
          await env.settled();
          assert.equal(seen.get('a'), 'one=first late=absent later=absent');
        },
        { cache },
      ));

    test('a running controller caches the objects that new and changed objects reference', () =>
      withRacks(
        [rack('a', 'one')],
        async ({ env, seen, cached }) => {
          await env.client.create(rack('b', 'two'));
          await env.client.patch(rack('a'), { merge: { spec: { settings: 'one,other' } } });
          await env.settled();
          assert.deepEqual([seen.get('a'), seen.get('b')], ['one=first other=first', 'two=first']);
          assert.equal(cached(), 3);
          await env.client.patch(settings('other', ''), { merge: { data: { value: 'changed' } } });
          await env.client.patch(settings('two', ''), { merge: { data: { value: 'changed' } } });
          await env.settled();
          assert.deepEqual([seen.get('a'), seen.get('b')], ['one=first other=changed', 'two=changed']);
        },
        { cache },
      ));
  });
}

test('a referenced object stays in the cache while another object still references it', () =>
  withRacks([rack('a', 'one'), rack('b', 'one')], async ({ env, seen, cached }) => {
    await env.client.delete(await env.client.get(Rack, { namespace, name: 'a' }));
    await env.settled();
    await env.client.patch(settings('one', ''), { merge: { data: { value: 'changed' } } });
    await env.settled();
    assert.deepEqual([cached(), seen.get('b')], [1, 'one=changed']);
  }));

test('a controller whose objects reference nothing starts, settles, and caches nothing', () =>
  withRacks([rack('a')], async ({ seen, cached }) => {
    assert.deepEqual([seen.get('a'), cached()], ['', 0]);
  }));

test('a list of a kind that is only referenced fails, and the error names the missing declaration', () =>
  withRacks([rack('a', 'one')], async ({ manager }) => {
    for (const options of [{}, { namespace }, { namespace: 'kube-public' }]) {
      await assert.rejects(manager.client.list(ConfigMap, options), {
        code: 'SELECTION_INCOMPLETE',
        message: /'reads'/,
      });
    }
  }));

test('references to a kind and reads of the same kind share one watch', () =>
  withRacks(
    [rack('a', 'one,two')],
    async ({ manager }) => {
      const listed = await manager.client.list(ConfigMap);
      const [informer, ...others] = manager.cache.informers().filter(({ kind }) => kind === 'ConfigMap');
      assert.deepEqual([informer?.size, informer?.fields, others.length], [listed.length, undefined, 0]);
    },
    { options: { reads: [ConfigMap] } },
  ));

test('objects in namespaces that the cache does not watch are not cached', () =>
  withRacks(
    [rack('a', 'one')],
    async ({ cached }) => {
      assert.equal(cached(), 1);
    },
    {
      cache: { namespaces: [namespace] },
      options: {
        watches: [
          references(ConfigMap, () => [
            { name: 'one', namespace },
            { name: 'kube-root-ca.crt', namespace: 'kube-public' },
          ]),
        ],
      },
    },
  ));

test('references to metadata cache only the metadata of the referenced objects', () =>
  withRacks(
    [rack('a')],
    async ({ manager }) => {
      const [informer, ...others] = manager.cache.informers().filter(({ kind }) => kind === 'ConfigMap');
      assert.deepEqual([informer?.metadataOnly, informer?.size, others.length], [true, 1, 0]);
    },
    { options: { watches: [references(metadataOnly(ConfigMap), () => 'one')] } },
  ));

test('a controller can reference objects of a cluster-scoped kind by name, and caches only these objects', async () => {
  const hall = (name: string): Hall => new Hall({ metadata: { name }, spec: {} });
  const halls = ['north', 'south', 'west'].map(hall);
  await using env = await TestEnvironment.start({ kinds, objects: [...halls, rack('a', 'north,south')] });
  const reconciled: string[] = [];
  @Controller({
    for: Rack,
    name: 'racks',
    watches: [references(Hall, (object: Rack) => object.spec.settings?.split(','))],
  })
  class RackController implements Reconciler<Rack> {
    async reconcile({ metadata }: Rack): Promise<Result> {
      reconciled.push(metadata.name);
      return Result.done();
    }
  }
  const manager = env.manager({ cache: { maxNamedWatches: 1 } }).add(RackController);
  await manager.start();
  await env.settled();
  const informer = manager.cache.informers().find(({ kind }) => kind === 'Hall');
  assert.deepEqual(
    [informer?.size, informer?.fields],
    [2, undefined],
    'one watch of the kind; the cache drops the third object',
  );
  reconciled.length = 0;
  await env.client.patch(hall('west'), { merge: { spec: { city: 'x' } } });
  await env.client.patch(hall('south'), { merge: { spec: { city: 'x' } } });
  await env.settled();
  assert.deepEqual(reconciled, ['a']);
});
