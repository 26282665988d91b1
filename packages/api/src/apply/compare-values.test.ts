import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DEDUCED, rootAtom } from './atom.js';
import { compareValues } from './compare-values.js';
import { pathText } from './path-element.js';
import { finish, type Steps } from './steps.js';

const count = 20_000;
const list = <T>(item: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => item(at));
const keys = (value: unknown) => Object.fromEntries(list((at) => [`k${at}`, value]));
const atom = rootAtom({
  type: 'object',
  properties: {
    byName: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
  },
});

function breaksOf(steps: Steps<unknown>): number {
  let breaks = 0;
  while (steps.next().done !== true) breaks += 1;
  return breaks;
}

describe('compareValues', () => {
  test('reports removed, modified and added fields', () => {
    const before = { same: 'a', other: 1, gone: true, nested: { a: 1 } };
    const after = { same: 'a', other: 2, nested: { a: 1, b: null } };
    const { removed, modified, added } = finish(compareValues(before, after, DEDUCED));
    const texts = [removed, modified, added].map((set) => [...set.paths()].map(pathText));
    assert.deepEqual(texts, [['.gone'], ['.other'], ['.nested.b']]);
  });

  test('reports an item that is duplicated in only one of the objects as removed and added, as Kubernetes does', () => {
    const changes = (before: object, after: object): readonly string[][] => {
      const { removed, modified, added } = finish(compareValues(before, after, atom));
      return [removed, modified, added].map((set) => [...set.paths()].map(pathText));
    };
    const item = '.set[="a"]';
    assert.deepEqual(changes({ set: ['a', 'a'] }, { set: ['a'] }), [[item], [], [item]]);
    assert.deepEqual(changes({ set: ['a'] }, { set: ['a', 'a'] }), [[item], [], [item]]);
    assert.deepEqual(changes({ set: ['a', 'a', 'b'] }, { set: ['b'] }), [[item], [], []]);
    assert.deepEqual(changes({ set: ['b'] }, { set: ['a', 'a', 'b'] }), [[], [], [item]]);
    assert.deepEqual(changes({ set: ['a', 'a'] }, { set: ['a', 'a', 'a'] }), [[], [item], []]);
    const named = (...values: readonly number[]): object => ({ byName: values.map((v) => ({ name: 'a', v })) });
    const [path, fields] = [
      '.byName[name="a"]',
      ['.byName[name="a"]', '.byName[name="a"].name', '.byName[name="a"].v'],
    ];
    assert.deepEqual(changes(named(1, 2), named(1)), [[path], [], fields]);
    assert.deepEqual(changes(named(1), named(1, 2)), [fields, [], [path]]);
    assert.deepEqual(changes(named(1, 2), named(1, 2)), [[], [], []]);
  });

  test('compares large maps and lists in steps', () => {
    const pairs: readonly (readonly [object, object])[] = [
      [{}, keys('v')],
      [keys('v'), keys('v')],
      [keys({ a: 1 }), {}],
      [{}, { byName: list((at) => ({ name: `n${at}` })) }],
      [{}, { byName: list(() => ({ name: 'same' })) }],
      [{ set: list(String) }, { set: list((at) => `x${at}`) }],
    ];
    for (const [before, after] of pairs) {
      const breaks = breaksOf(compareValues(before, after, atom));
      assert.ok(breaks >= count / 1000, `${breaks} breaks`);
    }
  });
});
