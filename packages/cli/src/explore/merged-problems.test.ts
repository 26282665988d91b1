import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from './explore-messages.js';
import { mergedProblems } from './merged-problems.js';

const problem = (kind: string, signature: string, specs: readonly object[]): Problem => ({
  finding: {
    oracle: 'history',
    sentence: 'the result depends on an earlier declaration',
    kind: { apiVersion: 'example.com/v1', kind },
    trial: { steps: specs.map((spec) => ({ action: 'declare', spec })) },
    at: specs.length - 1,
    differences: [],
    details: [],
    fields: [],
    signature,
  },
  report: '',
});

test('mergedProblems keeps the shortest history of each kind and signature, in any order of the problems', () => {
  const long = problem('Store', 'history Service', [{ a: 1 }, { a: 2 }, { a: 1 }]);
  const short = problem('Store', 'history Service', [{ a: 2 }, { a: 1 }]);
  const other = problem('Shop', 'history Service', [{ a: 1 }]);
  const third = problem('Store', 'deletion Service', [{ a: 1 }]);
  for (const given of [
    [long, short, other, third],
    [third, other, short, long],
  ]) {
    assert.deepEqual(mergedProblems(given), [other, third, short]);
  }
});
