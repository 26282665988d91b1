import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goDiff } from './go-diff.js';

test('shows changed lines with three lines of context', () => {
  assert.equal(
    goDiff({ a: 1, b: 2, c: 3, d: 4, e: 5 }, { a: 1, b: 2, c: 3, d: 4, e: 6 }),
    '@@ -3,5 +3,5 @@\n  "b": 2,\n  "c": 3,\n  "d": 4,\n- "e": 5\n+ "e": 6\n }\n',
  );
});

test('shows distant changes separately', () => {
  const [old, next] = [Array.from({ length: 20 }, (_, at) => at), Array.from({ length: 20 }, (_, at) => at)];
  next[0] = -1;
  next[19] = -1;
  assert.equal(goDiff(old, next).match(/^@@ .* @@$/gm)?.length, 2);
});

test('returns no text for equal values', () => {
  assert.equal(goDiff({ a: [1, 2] }, { a: [1, 2] }), '');
});

test('compares very long values without a search for equal lines', () => {
  const long = Array.from({ length: 50_000 }, (_, at) => at);
  const diff = goDiff(long, long.toReversed());
  assert.equal(diff.match(/^-/gm)?.length, 50_002);
});
