import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import fc from 'fast-check';
import { words } from '../../test-support/informer-bench.js';
import { configMap } from '../../test-support/reflector-bench.js';
import { isNewer } from './overlay.js';
import { ScopedStore, type StoreScope } from './scoped-store.js';
import { Store } from './store.js';

/** A scope whose version the test sets. */
class TestScope implements StoreScope {
  readonly namespace = undefined;
  readonly covers = (): boolean => true;
  readonly isTracked: boolean;
  resourceVersion = '';
  constructor(isTracked = false) {
    this.isTracked = isTracked;
  }
}

function setUp() {
  const store = new Store<KubeObject>(() => undefined);
  const scoped = new ScopedStore(store);
  const [web, all] = [new TestScope(), new TestScope()];
  scoped.add(web);
  scoped.add(all);
  const put = (scope: TestScope, version: string, uid = 'uid-a'): readonly string[] => {
    scope.resourceVersion = version;
    return scoped.put(scope, configMap('a', version, { metadata: { uid } })).changes.map(words);
  };
  const remove = (scope: TestScope, version: string, uid = 'uid-a'): readonly string[] => {
    scope.resourceVersion = version;
    return scoped.remove(scope, configMap('a', version, { metadata: { uid } })).changes.map(words);
  };
  const replace = (scope: TestScope, version: string, ...versions: readonly string[]): readonly string[] => {
    const isSetBack = isNewer(scope.resourceVersion, version);
    scope.resourceVersion = version;
    const objects = versions.map((each) => configMap('a', each, { metadata: { uid: 'uid-a' } }));
    return scoped.replace(scope, objects, { initial: false, isSetBack }).changes.map(words);
  };
  return { store, scoped, web, all, put, remove, replace };
}

test('removes an object from the store after every scope has removed it', () => {
  const { web, all, put, remove, store } = setUp();
  assert.deepEqual(put(web, '5'), ['added a:5']);
  assert.deepEqual(put(all, '5'), []);
  assert.deepEqual(remove(web, '6'), []);
  assert.equal(store.size, 1);
  assert.deepEqual(remove(all, '6'), ['deleted a:6']);
});

test('accepts an older state of an object from a list whose version is newer than the stored state, as after a restore', () => {
  const { web, all, put, replace, store } = setUp();
  put(web, '9');
  put(all, '9');
  assert.deepEqual(replace(all, '12', '5'), ['modified a:5']);
  assert.equal(store.list()[0]?.metadata.resourceVersion, '5');
});

test('if a newer list contains an object that every scope has removed, stores the object again, as after a restore', () => {
  const { web, all, put, remove, replace, store } = setUp();
  put(web, '5');
  put(all, '5');
  remove(web, '9');
  remove(all, '9');
  assert.deepEqual(replace(all, '12', '5'), ['added a:5']);
  assert.equal(store.size, 1);
});

test('ignores an older state from another scope', () => {
  const { web, all, put, store } = setUp();
  put(web, '9');
  assert.deepEqual(put(all, '5'), []);
  assert.deepEqual(put(all, '10'), ['modified a:10']);
  assert.equal(store.list()[0]?.metadata.resourceVersion, '10');
});

test('an older state from another scope does not undo a deletion, and a later object with the same name is stored', () => {
  const { web, all, put, remove, store } = setUp();
  put(web, '5');
  remove(web, '10');
  assert.deepEqual(put(all, '9'), []);
  assert.equal(store.size, 0);
  assert.deepEqual(remove(all, '10'), []);
  assert.deepEqual(put(all, '11', 'uid-b'), ['added a:11']);
});

test('stores an object that leaves one scope and enters another scope at the same version', () => {
  const { web, all, put, remove } = setUp();
  put(web, '5');
  assert.deepEqual(remove(web, '10'), ['deleted a:10']);
  assert.deepEqual(put(all, '10'), ['added a:10']);
});

test('after a list without an object, another scope restores the object only with a newer version', () => {
  const { web, put, all, replace } = setUp();
  put(web, '5');
  assert.deepEqual(replace(web, '20'), ['deleted a:5 stale']);
  assert.deepEqual(put(all, '5'), []);
  assert.deepEqual(put(all, '7'), ['added a:7']);
});

test('a list of a restored server replaces newer states with older states', () => {
  const { web, all, put, replace, store } = setUp();
  put(web, '90');
  put(all, '90');
  assert.deepEqual(replace(web, '12', '10'), ['modified a:10']);
  assert.equal(store.list()[0]?.metadata.resourceVersion, '10');
});

test('removing a scope removes the objects that no other scope contains', () => {
  const { scoped, web, all, put, store } = setUp();
  put(web, '5');
  put(all, '5');
  assert.deepEqual(scoped.drop(web), []);
  put(all, '7');
  assert.deepEqual(scoped.drop(all).map(words), ['deleted a:7 stale']);
  assert.equal(store.size, 0);
});

test('a scope with an older watch does not restore older states after another scope is dropped', () => {
  const { scoped, web, all, put, store } = setUp();
  put(all, '5');
  put(web, '9');
  scoped.drop(web);
  scoped.settle();
  assert.deepEqual(put(all, '7'), []);
  assert.equal(store.list()[0]?.metadata.resourceVersion, '9');
});

test('a tracked scope reports all changes of its own objects, with the object instances of the store', () => {
  const { scoped, all, put, remove } = setUp();
  const tracked = new TestScope(true);
  scoped.add(tracked);
  put(all, '5');
  const object = configMap('a', '5', { metadata: { uid: 'uid-a' } });
  const { changes, ofScope } = scoped.put(tracked, object);
  assert.deepEqual([changes.map(words), ofScope.map(words)], [[], ['added a:5']]);
  assert.notEqual(ofScope[0]?.object, object);
  remove(all, '6');
  const removal = scoped.remove(tracked, configMap('a', '6', { metadata: { uid: 'uid-a' } }));
  assert.deepEqual([removal.changes.map(words), removal.ofScope.map(words)], [['deleted a:6'], ['deleted a:6']]);
});

/** One version of a single object: its uid, and which of the two scopes contain it. */
interface Version {
  readonly uid: string;
  readonly inScope: readonly [boolean, boolean];
}

test('property: for any order of scopes, the stored version never decreases, and the last state equals the state of the server', () => {
  const version = fc.record({
    uid: fc.constantFrom('one', 'two'),
    inScope: fc.tuple(fc.boolean(), fc.boolean()),
  });
  fc.assert(
    fc.property(fc.array(version, { minLength: 1, maxLength: 12 }), fc.infiniteStream(fc.boolean()), (given, order) => {
      const history = withLives(given);
      const { scoped, store, web, all } = setUp();
      const scopes = [web, all] as const;
      const at: [number, number] = [0, 0];
      let shown = 0;
      while (at[0] < history.length || at[1] < history.length) {
        const wish = order.next().value === true ? 1 : 0;
        const which = at[wish] < history.length ? wish : ((1 - wish) as 0 | 1);
        bring(scoped, scopes[which], { history, at: at[which], which });
        at[which]++;
        scoped.settle();
        const now = Number(store.list()[0]?.metadata.resourceVersion ?? 0);
        if (now !== 0) assert.ok(now >= shown, `version ${now} after ${shown}`);
        shown = Math.max(shown, now);
      }
      const last = history.at(-1) as Version;
      const expected = last.inScope.includes(true) ? [`${history.length}`] : [];
      assert.deepEqual(
        store.list().map(({ metadata }) => metadata.resourceVersion),
        expected,
      );
    }),
    { numRuns: 500 },
  );
});

/** Assigns a new uid after each version in which no scope contains the object, because the object is deleted then. */
function withLives(given: readonly Version[]): readonly Version[] {
  let life = 0;
  return given.map(({ inScope }) => {
    const uid = `uid-${life}`;
    if (!inScope.includes(true)) life++;
    return { uid, inScope };
  });
}

/** Applies the event that the watch of the scope delivers for this version. */
function bring(
  scoped: ScopedStore<KubeObject>,
  scope: TestScope,
  { history, at, which }: { readonly history: readonly Version[]; readonly at: number; readonly which: 0 | 1 },
): void {
  const [before, now] = [history[at - 1], history[at] as Version];
  const object = configMap('a', `${at + 1}`, { metadata: { uid: now.uid } });
  scope.resourceVersion = `${at + 1}`;
  if (now.inScope[which]) scoped.put(scope, object);
  else if (before?.inScope[which] === true && before.uid === now.uid) scoped.remove(scope, object);
}
