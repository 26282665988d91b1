import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explore, reportFinding } from '@kubewright/testing';
import { examples } from './examples.js';
import { isThorough, trialsOf } from './trials.js';

/** The number of trials of each exploration. */
const TRIALS = trialsOf(12, 150);

for (const { name, options, intended } of examples) {
  test(`explore finds only intended problems in the example ${name}`, async () => {
    for (const seed of isThorough ? [1, 2, 3] : [1]) {
      const { kinds, controllers, samples, objects, external, mask } = options;
      const { findings } = await explore({
        kinds,
        controllers,
        ...(samples && { samples }),
        ...(objects && { objects }),
        ...(external && { external }),
        ...(mask && { mask }),
        accept: Object.keys(intended),
        seed,
        trials: TRIALS,
        budget: '10m',
        report: 'return',
        shrinkTrials: 0,
      });
      assert.deepEqual(findings.map(reportFinding), []);
    }
  });
}
