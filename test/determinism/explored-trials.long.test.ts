import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exploredExamples, exploredTrials } from './explored-trials.js';

const SEEDS = 20;
const RUNS = 3;

for (const name of Object.keys(exploredExamples) as (keyof typeof exploredExamples)[]) {
  test(`${RUNS} runs of ${SEEDS} explored histories of ${name} exchange the same bytes in the same order`, async () => {
    const distinct = new Set<string>();
    for (let seed = 1; seed <= SEEDS; seed++) {
      const first = await exploredTrials(name, seed);
      for (let run = 1; run < RUNS; run++) {
        const again = await exploredTrials(name, seed);
        if (again.join('\n') !== first.join('\n')) assert.deepEqual(again, first, `seed ${seed}, run ${run}`);
      }
      distinct.add(first.join('\n'));
    }
    assert.ok(distinct.size > SEEDS / 2, `${distinct.size} distinct histories`);
  });
}
