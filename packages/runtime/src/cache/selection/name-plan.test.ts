import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InformerScope } from './informer-selection.js';
import { NamePlan } from './name-plan.js';

const base: InformerScope = {
  namespace: undefined,
  except: [],
  labels: undefined,
  fields: undefined,
  transform: undefined,
};
const named = (namespace: string | undefined, ...names: string[]): InformerScope => ({
  ...base,
  namespace,
  names: { key: 'declared', names: new Set(names) },
});

/** A plan whose watches are opened as planned. The watches are listed, except if a test sets `isListed` to false. */
class PlanBench {
  readonly #plan: NamePlan;
  #open = new Set<string>();
  isListed = true;
  isWaiting = false;

  constructor(limit: number) {
    this.#plan = new NamePlan(limit);
  }

  /** Returns the planned watches as text: a namespace and its names. */
  plan(needed: readonly InformerScope[], wide: readonly InformerScope[] = []): readonly string[] {
    const { scopes, isWaiting } = this.#plan.plan(needed, wide, {
      isOpen: (key) => this.#open.has(key),
      isListed: () => this.isListed,
    });
    this.#open = new Set(scopes.map(({ key }) => key));
    this.isWaiting = isWaiting;
    assert.equal(this.#open.size, scopes.length, 'each watch has its own key');
    return scopes.map(
      ({ scope: { namespace, names } }) => `${namespace ?? '*'}: ${[...(names?.names ?? [])].join(' ')}`,
    );
  }
}

test('watches each name separately up to the limit, and beyond the limit watches the namespaces with the most names', () => {
  const bench = new PlanBench(3);
  assert.deepEqual(bench.plan([named('a', 'x', 'y'), named('b', 'z')]), ['a: x', 'a: y', 'b: z']);
  const more = [named('a', 'x', 'y'), named('b', 'z'), named('c', 'p', 'q', 'r')];
  assert.deepEqual(bench.plan(more), ['a: x', 'a: y', 'b: z', 'c: p q r']);
});

test('beyond the limit, one watch of a cluster-scoped kind replaces the watches by name', () => {
  const bench = new PlanBench(1);
  assert.deepEqual(bench.plan([named(undefined, 'x')]), ['*: x']);
  assert.deepEqual(bench.plan([named(undefined, 'x', 'y')]), ['*: x y']);
});

test('counts a name only once, even if several declarations select the name', () => {
  const bench = new PlanBench(2);
  assert.deepEqual(bench.plan([named('a', 'x', 'y'), named('a', 'y', 'x')]), ['a: x', 'a: y']);
});

test('never watches a whole namespace for a single name', () => {
  const bench = new PlanBench(1);
  const namespaces = ['a', 'b', 'c'];
  assert.deepEqual(bench.plan(namespaces.map((each) => named(each, 'x'))), ['a: x', 'b: x', 'c: x']);
});

test('watches later names separately until the limit is exceeded again', () => {
  const bench = new PlanBench(1);
  assert.deepEqual(bench.plan([named('a', 'x', 'y')]), ['a: x y']);
  assert.deepEqual(bench.plan([named('a', 'x', 'y', 'z')]), ['a: x y', 'a: z']);
  assert.deepEqual(bench.plan([named('a', 'x', 'y', 'z', 'w')]), ['a: x y z w']);
});

test('starts one list of a namespace at a time, and further names wait until the list ends', () => {
  const bench = new PlanBench(1);
  bench.isListed = false;
  assert.deepEqual(bench.plan([named('a', 'x', 'y')]), ['a: x y']);
  assert.deepEqual(bench.plan([named('a', 'x', 'y', 'z', 'w')]), ['a: x y', 'a: z']);
  assert.equal(bench.isWaiting, true);
  bench.isListed = true;
  assert.deepEqual(bench.plan([named('a', 'x', 'y', 'z', 'w')]), ['a: x y z w']);
  assert.equal(bench.isWaiting, false);
});

test('watches by name replace the watch of a namespace when half of the names are no longer needed', () => {
  const bench = new PlanBench(2);
  assert.deepEqual(bench.plan([named('a', 'p', 'q', 'r', 's')]), ['a: p q r s']);
  assert.deepEqual(bench.plan([named('a', 'p', 'q', 'r')]), ['a: p q r s']);
  assert.deepEqual(bench.plan([named('a', 'p', 'q')]), ['a: p', 'a: q']);
  assert.deepEqual(bench.plan([]), []);
});

test('does not watch names separately if a wider watch covers them', () => {
  const bench = new PlanBench(1);
  const needed = [named('a', 'x'), named('b', 'y')];
  assert.deepEqual(bench.plan(needed, [base]), []);
  assert.deepEqual(bench.plan(needed, [{ ...base, namespace: 'a' }]), ['b: y']);
  assert.deepEqual(bench.plan(needed, [{ ...base, labels: 'app=web' }]).toSorted(), ['a: x', 'b: y']);
});
