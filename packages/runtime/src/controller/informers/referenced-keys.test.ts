import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, ObjectKey } from '@kubewright/api';
import { formatKey } from '../../cache/store/object-key.js';
import { Disk, machine, settle } from '../../test-support/controller-bench.js';
import { ManualClock } from '../../test-support/manual-clock.js';
import { ObjectTable } from '../../test-support/object-table.js';
import { ReferencedKeys } from './referenced-keys.js';
import { declaredWatch, references, type ReferenceWatch } from '../watches/watch-declaration.js';

/** A table that records which keys were selected. */
class SelectedTable extends ObjectTable {
  readonly selections: string[] = [];

  override selectKeys(keys: readonly ObjectKey[] = []): void {
    this.selections.push(keys.map(formatKey).toSorted().join(' '));
  }
}

async function bench(...named: readonly (readonly [string, string])[]) {
  const clock = new ManualClock();
  const primary = new ObjectTable();
  const objects = new SelectedTable();
  const put = (name: string, text: string): void => {
    primary.put(machine(name, {}, { labels: { disks: text } }));
  };
  for (const [name, text] of named) put(name, text);
  const watch = references(Disk, (object: KubeObject) => {
    const { disks = '' } = object.metadata.labels ?? {};
    if (disks === 'fails') throw new Error('the function fails');
    return disks.split('.');
  });
  const keys = new ReferencedKeys(declaredWatch(watch) as ReferenceWatch, { primary, informer: objects, clock });
  await settle();
  return { clock, primary, objects, put, keys };
}

test('selects the references of the initial objects in one call after the first list', async () => {
  const { objects } = await bench(['a', 'x.y'], ['b', 'y.z']);
  assert.deepEqual(objects.selections, ['default/x default/y default/z']);
});

test('selects nothing if nothing is referenced', async () => {
  const { objects } = await bench(['a', '']);
  assert.deepEqual(objects.selections, ['']);
});

test('selects an object when another object references it, with one selection for all changes of a microtask', async () => {
  const { objects, put } = await bench(['a', 'x']);
  put('a', 'x.y');
  put('b', 'z');
  await settle();
  assert.deepEqual(objects.selections, ['default/x', 'default/x default/y default/z']);
});

test('deselects an object 10 s after its last reference is removed', async () => {
  const { clock, objects, primary, put } = await bench(['a', 'x.y'], ['b', 'y']);
  put('a', '');
  clock.advance(9_999);
  assert.equal(objects.selections.length, 1);
  clock.advance(1);
  assert.equal(objects.selections.at(-1), 'default/y', 'another object references y');
  primary.remove({ namespace: 'default', name: 'b' });
  clock.advance(10_000);
  assert.equal(objects.selections.at(-1), '');
});

test('deselects each object 10 s after the last reference to this object is removed, regardless of other objects', async () => {
  const { clock, objects, put } = await bench(['a', 'x.y']);
  put('a', 'y');
  clock.advance(9_000);
  put('a', '');
  clock.advance(1_000);
  assert.equal(objects.selections.at(-1), 'default/y');
  clock.advance(8_999);
  assert.equal(objects.selections.at(-1), 'default/y');
  clock.advance(1);
  assert.equal(objects.selections.at(-1), '');
  assert.deepEqual(clock.pendingMs, []);
});

test('a reference that is removed and added again within 10 s does not change the selection', async () => {
  const { clock, objects, put } = await bench(['a', 'x']);
  for (const text of ['', 'x', '', 'x']) put('a', text);
  await settle();
  clock.advance(60_000);
  assert.deepEqual([...new Set(objects.selections)], ['default/x']);
});

test('an object references no other object if the function of `references` throws an error', async () => {
  const { clock, objects, put } = await bench(['a', 'x']);
  put('a', 'fails');
  clock.advance(10_000);
  assert.deepEqual(objects.selections, ['default/x', '']);
});

test('selects nothing after close, and leaves no timer', async () => {
  const { clock, objects, put, keys } = await bench(['a', 'x']);
  put('a', '');
  put('b', 'y');
  keys.close();
  await settle();
  put('c', 'z');
  clock.advance(60_000);
  assert.deepEqual(objects.selections, ['default/x']);
  assert.deepEqual(clock.pendingMs, []);
});
