import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mediaTypes } from './accept.js';

test('sorts the entries of short and long Accept headers by their quality and their specificity', () => {
  for (const count of [4, 1000]) {
    const all = Array.from({ length: count }, (_, at) => `*/*;q=0.${at + 1}`);
    const sorted = mediaTypes([...all, 'a/b'].join(','));
    assert.equal(sorted.length, count + 1);
    assert.equal(sorted[0]?.type, 'a/b');
    const qualities = sorted.slice(1).map(({ parameters }) => Number(parameters.get('q')));
    assert.deepEqual(
      qualities,
      qualities.toSorted((a, b) => b - a),
    );
  }
  const [first] = mediaTypes(`${'*/*,'.repeat(500)}application/*,application/yaml`);
  assert.equal(first?.type, 'application/yaml');
});
