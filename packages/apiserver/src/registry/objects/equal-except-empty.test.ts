import assert from 'node:assert/strict';
import { test } from 'node:test';
import { equalExceptEmpty } from './equal-except-empty.js';

test('unset, null and empty lists are equal at any depth', () => {
  for (const a of [{}, { list: null }, { list: [] }]) {
    for (const b of [{}, { list: null }, { list: [] }]) {
      assert.ok(equalExceptEmpty(a, b));
      assert.ok(equalExceptEmpty({ items: [a] }, { items: [b] }));
    }
  }
});

test('other values are equal only if all their fields and items are equal', () => {
  assert.ok(equalExceptEmpty({ a: 1, list: ['x', { b: true }] }, { list: ['x', { b: true }], a: 1 }));
  const different: readonly (readonly [unknown, unknown])[] = [
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, {}],
    [{}, { a: {} }],
    [{ list: ['x'] }, { list: [] }],
    [{ list: ['x'] }, { list: ['x', 'y'] }],
    [{ list: ['x', 'y'] }, { list: ['y', 'x'] }],
    [[], {}],
    ['', null],
    [0, null],
    [{ toString: 'x' }, {}],
  ];
  for (const [a, b] of different) {
    assert.ok(!equalExceptEmpty(a, b), JSON.stringify([a, b]));
    assert.ok(!equalExceptEmpty(b, a), JSON.stringify([b, a]));
  }
});
