import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allBugs } from './bugs/all-bugs.js';
import { exploreBug } from './bugs/explore-bug.js';
import { trialsOf } from './trials.js';

/** The number of trials of the operators without bugs. */
const TRIALS_WITHOUT_BUG = trialsOf(15, 60);

for (const bug of allBugs) {
  test(`explore finds the bug ${bug.name}`, async () => {
    const { findings } = await exploreBug(bug, false, {
      trials: trialsOf(bug.trials ?? 30, 150),
      problems: 1,
      shrinkTrials: 0,
    });
    const oracles = findings.map(({ oracle }) => oracle);
    assert.ok(
      oracles.some((oracle) => bug.violates.includes(oracle)),
      `explore found: ${oracles.join(', ') || 'nothing'}`,
    );
  });
  test(`explore finds nothing without the bug ${bug.name}`, async () => {
    const { findings } = await exploreBug(bug, true, { trials: TRIALS_WITHOUT_BUG });
    assert.deepEqual(
      findings.map(({ sentence, fields, differences, details }) => ({ sentence, fields, differences, details })),
      [],
    );
  });
}
