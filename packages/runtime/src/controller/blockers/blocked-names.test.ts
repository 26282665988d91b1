import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { settle } from '../../test-support/controller-bench.js';
import { ForeignObjects } from '../../test-support/foreign-objects.js';
import { ManualClock } from '../../test-support/manual-clock.js';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { BlockedNames } from './blocked-names.js';

function bench({ isClusterWide = true } = {}) {
  const objects = new ForeignObjects();
  const clock = new ManualClock();
  const woken: string[] = [];
  const names = new BlockedNames({
    owns: [ConfigMap],
    source: { live: objects, isClusterWide: () => isClusterWide },
    clock,
    logger: new RecordingLogger(),
    wake: (id, blocker) => void woken.push(`${id} by ${blocker}`),
  });
  return { objects, clock, woken, names };
}
/** Creates a foreign object in each place, and reports that the parent of the same name needs the name of the object. */
async function blocked(
  { objects, names }: ReturnType<typeof bench>,
  places: readonly { readonly name: string; readonly namespace: string }[],
): Promise<readonly KubeObject[]> {
  const all: KubeObject[] = [];
  for (const { name, namespace } of places) {
    const object = objects.put(name, { namespace });
    all.push(object);
    names.ended(name, [object]);
  }
  await settle();
  return all;
}
function places(count: number, namespaces = 1): readonly { readonly name: string; readonly namespace: string }[] {
  return Array.from({ length: count }, (_, at) => ({ name: `p${at}`, namespace: `n${at % namespaces}` }));
}

test('requeues a parent once when the foreign object is deleted, and stops watching the foreign object', async () => {
  const setup = bench();
  const [object = assert.fail()] = await blocked(setup, [{ name: 'a', namespace: 'default' }]);
  setup.objects.put('a', { labels: { changed: 'yes' } });
  await settle();
  assert.deepEqual([setup.woken, setup.objects.watches], [[], ['default/a']]);
  setup.objects.delete(object);
  await settle();
  assert.deepEqual([setup.woken, setup.objects.watches], [['a by ConfigMap default/a'], []]);
});

test('requeues a parent if the foreign object is deleted or replaced before the watch starts', async () => {
  for (const replaced of [false, true]) {
    const { objects, names, woken } = bench();
    const object = objects.put('a');
    objects.delete(object);
    if (replaced) objects.put('a', { uid: 'another' });
    names.ended('a', [object]);
    await settle();
    assert.deepEqual([woken, objects.watches], [['a by ConfigMap default/a'], []]);
  }
});

test('requeues a parent when the foreign object gets another controller or loses its controller', async () => {
  const { objects, names, woken } = bench();
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'p1', controller: true }];
  names.ended('a', [objects.put('a', { ownerReferences })]);
  await settle();
  objects.put('a');
  await settle();
  assert.deepEqual(woken, ['a by ConfigMap default/a']);
});

test('requeues a parent only once if its runs report a foreign object that does not exist on the server', async () => {
  const { objects, names, woken } = bench();
  const unknown = objects.put('a');
  objects.delete(unknown);
  for (let run = 0; run < 3; run++) {
    names.ended('a', [unknown]);
    await settle();
  }
  assert.equal(woken.length, 1);
});

test('watches each child name that a foreign object uses, and stops watching names that a later run no longer needs', async () => {
  const { objects, names, woken } = bench();
  const [one, two] = [objects.put('one'), objects.put('two')];
  names.ended('a', [one, two]);
  names.ended('b', [two]);
  await settle();
  assert.deepEqual(objects.watches, ['default/one', 'default/two']);
  names.ended('a', [two]);
  await settle();
  assert.deepEqual(objects.watches, ['default/two']);
  objects.delete(two);
  await settle();
  assert.deepEqual(woken, ['a by ConfigMap default/two', 'b by ConfigMap default/two']);
});

test('uses one watch for 1,000 parents in one namespace, and requeues each of them', async () => {
  const setup = bench();
  const objects = await blocked(setup, places(1000));
  assert.deepEqual(setup.objects.watches, ['n0']);
  for (const object of objects) setup.objects.delete(object);
  await settle();
  assert.equal(new Set(setup.woken).size, 1000);
  assert.equal(setup.woken.length, 1000);
  assert.deepEqual(setup.objects.watches, []);
});

test('watches up to 20 objects by name, up to 20 namespaces by namespace, and otherwise the whole cluster', async () => {
  const setup = bench();
  const few = await blocked(setup, places(20, 20));
  assert.equal(setup.objects.watches.length, 20);
  assert.ok(setup.objects.watches.includes('n7/p7'));
  const more = await blocked(setup, [{ name: 'more', namespace: 'n7' }]);
  assert.deepEqual(
    setup.objects.watches,
    places(20, 20)
      .map(({ namespace }) => namespace)
      .toSorted(),
  );
  const most = await blocked(setup, [{ name: 'most', namespace: 'n20' }]);
  assert.deepEqual(setup.objects.watches, ['*']);
  for (const object of [...more, ...most, ...few]) setup.objects.delete(object);
  await settle();
  assert.equal(setup.woken.length, 22);
  assert.deepEqual(setup.objects.watches, []);
});

test('returns to watches by name when the number of names drops to 10', async () => {
  const setup = bench();
  const objects = await blocked(setup, places(21));
  for (const object of objects.slice(10)) setup.objects.delete(object);
  await settle();
  assert.deepEqual(
    setup.objects.watches,
    places(10)
      .map(({ name }) => `n0/${name}`)
      .toSorted(),
  );
  for (const object of objects.slice(0, 10)) setup.objects.delete(object);
  await settle();
  assert.deepEqual([setup.woken.length, setup.objects.watches], [21, []]);
});

test('watches each namespace, and never the whole cluster, in an operator that is limited to namespaces', async () => {
  const setup = bench({ isClusterWide: false });
  const objects = await blocked(setup, places(30, 25));
  assert.equal(setup.objects.watches.length, 25);
  for (const object of objects) setup.objects.delete(object);
  await settle();
  assert.deepEqual([setup.woken.length, setup.objects.watches], [30, []]);
});

test('requeues a parent whose foreign object is deleted while a wider watch replaces the watch by name', async () => {
  const setup = bench();
  const [first = assert.fail()] = await blocked(setup, places(20));
  setup.objects.onFind = ({ name }) => {
    if (name !== 'p20') return;
    setup.objects.onFind = () => undefined;
    setup.objects.delete(first);
  };
  await blocked(setup, [{ name: 'p20', namespace: 'n0' }]);
  assert.deepEqual(setup.woken, ['p0 by ConfigMap n0/p0']);
});

test('reads the foreign objects again with back-off after a watch has failed, and detects every deletion', async () => {
  const setup = bench();
  const [object = assert.fail()] = await blocked(setup, [{ name: 'a', namespace: 'default' }]);
  setup.objects.fail(new Error('the version has expired'));
  await settle();
  setup.objects.delete(object);
  await settle();
  assert.deepEqual([setup.woken, setup.objects.watches], [[], []]);
  setup.clock.advance(2_000);
  await settle();
  assert.deepEqual(setup.woken, ['a by ConfigMap default/a']);
  assert.deepEqual([setup.objects.watches, setup.clock.pendingMs], [[], []]);
});

test('close ends all watches', async () => {
  const setup = bench();
  await blocked(setup, places(3));
  assert.equal(setup.objects.watches.length, 3);
  await setup.names.close();
  assert.deepEqual(setup.objects.watches, []);
});
