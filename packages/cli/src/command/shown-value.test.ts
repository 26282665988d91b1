import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownDifference, shownValue } from './shown-value.js';

test('shownValue shortens a long value', () => {
  assert.equal(shownValue(undefined), '(none)');
  assert.equal(shownValue({ a: 1 }), '{"a":1}');
  assert.equal(shownValue('x'.repeat(100)).length, 60);
});

test('shownDifference cuts the common start of two long values', () => {
  const long = (tail: string) => `${'same '.repeat(30)}${tail} end`;
  const [from, to] = shownDifference(long('old'), long('new'));
  assert.match(from, /^….*old end"$/);
  assert.match(to, /^….*new end"$/);
  assert.deepEqual(shownDifference('a', 'b'), ['"a"', '"b"']);
  assert.deepEqual(shownDifference(undefined, 'b'), ['(none)', '"b"']);
});
