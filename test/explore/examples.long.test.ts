import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explore, reportFinding } from '@kubewright/testing';
import { examples } from './examples.js';

/** The number of trials of each exploration. */
const TRIALS = 60;

for (const { name, options, intended } of examples) {
  test(`explore finds only intended problems in the example ${name}`, async () => {
    for (const seed of [1, 2, 3]) {
      const { kinds, controllers, samples, objects, external } = options;
      const { findings } = await explore({
        kinds,
        controllers,
        ...(samples && { samples }),
        ...(objects && { objects }),
        ...(external && { external }),
        accept: Object.keys(intended),
        seed,
        trials: TRIALS,
        budget: '10m',
        report: 'return',
      });
      assert.deepEqual(findings.map(reportFinding), []);
    }
  });
}
