import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { isNewer, Overlay } from './overlay.js';
import { OverlaidStore } from './overlaid-store.js';
import { Store } from './store.js';

function object(name: string, resourceVersion: number): KubeObject {
  const metadata = { name, namespace: 'default', uid: name, resourceVersion: String(resourceVersion) };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata } as unknown as KubeObject;
}
const reachedBy = (version: number) => (resourceVersion: string) => !isNewer(resourceVersion, String(version));

test('an event checks only the writes whose version a watch has reached', () => {
  const overlay = new Overlay();
  for (let at = 0; at < 10_000; at++) overlay.wrote(object(`a-${at}`, 100 + at), undefined);
  let reads = 0;
  let checks = 0;
  overlay.caughtUp(
    (version) => {
      reads++;
      return reachedBy(101)(version);
    },
    () => {
      checks++;
      return true;
    },
  );
  assert.deepEqual([reads, checks], [3, 2]);
  assert.equal([...overlay.values()].length, 9998);
});

test('removes writes in the order of their versions, regardless of the order in which they arrive', () => {
  const overlay = new Overlay();
  for (const version of [30, 10, 20]) overlay.wrote(object(`a-${version}`, version), undefined);
  const names = () =>
    [...overlay.values()].map((write) => (write.type === 'written' ? write.object.metadata.name : ''));
  overlay.caughtUp(reachedBy(20), () => true);
  assert.deepEqual(names(), ['a-30']);
});

test('keeps a write until all watches have delivered the write, and ignores a write that a later write has replaced', () => {
  const overlay = new Overlay();
  overlay.wrote(object('a', 10), undefined);
  overlay.wrote(object('a', 20), undefined);
  const checked: string[] = [];
  const check = (isPast: boolean) => (write: { readonly resourceVersion: string }) => {
    checked.push(write.resourceVersion);
    return isPast;
  };
  overlay.caughtUp(reachedBy(15), check(true));
  assert.deepEqual(checked, []);
  overlay.caughtUp(reachedBy(25), check(false));
  overlay.caughtUp(reachedBy(25), check(true));
  assert.deepEqual(checked, ['20', '20']);
  assert.equal(overlay.isEmpty, true);
});

test('keeps an own deletion whose response contains no version', () => {
  const overlay = new Overlay();
  overlay.deleted({ name: 'a', namespace: 'default' }, {}, object('a', 10));
  overlay.caughtUp(
    () => true,
    () => true,
  );
  assert.equal(overlay.isEmpty, false);
});

test('a list with few or many own writes contains each object once, in its latest state', () => {
  for (const pending of [1, 16, 17, 100]) {
    const store = new Store<KubeObject>(() => undefined);
    for (let at = 0; at < 200; at++) store.put(object(`a-${at}`, 1 + at));
    const overlaid = new OverlaidStore(store, { kind: 'ConfigMap', isSelected: () => true });
    for (let at = 0; at < pending; at++) {
      const key = { name: `a-${at}`, namespace: 'default' };
      if (at % 3 === 0) overlaid.overlay.deleted(key, {}, store.get(key));
      else overlaid.overlay.wrote(object(`a-${at}`, 1000 + at), store.get(key));
    }
    overlaid.overlay.wrote(object('new', 5000), undefined);
    const listed = overlaid.list();
    const expected = Array.from({ length: 200 }, (_, at) => at)
      .filter((at) => at >= pending || at % 3 !== 0)
      .map((at) => `a-${at} ${at < pending ? 1000 + at : 1 + at}`);
    const texts = listed.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`);
    assert.deepEqual(texts.toSorted(), [...expected, 'new 5000'].toSorted());
    assert.equal(overlaid.size, listed.length);
    assert.equal(store.list().length, 200);
  }
});
