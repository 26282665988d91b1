import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explore, type Finding } from '@kubewright/testing';
import type { Bug } from './bugs/bug.js';
import { fieldBugs } from './bugs/fields.js';
import { lifecycleBugs } from './bugs/lifecycle.js';
import { progressBugs } from './bugs/progress.js';
import { scalingBugs } from './bugs/scaling.js';

/** The maximum number of trials of each exploration. The number does not depend on the speed of the machine. */
const TRIALS = 40;

for (const bug of [...lifecycleBugs, ...fieldBugs, ...progressBugs, ...scalingBugs]) {
  test(`explore finds the bug ${bug.name}`, async () => {
    const findings = await findingsOf(bug, false);
    const oracles = findings.map(({ oracle }) => oracle);
    assert.ok(
      oracles.some((oracle) => bug.violates.includes(oracle)),
      `explore found: ${oracles.join(', ') || 'nothing'}`,
    );
  });
  test(`explore finds nothing without the bug ${bug.name}`, async () => {
    const findings = await findingsOf(bug, true);
    assert.deepEqual(
      findings.map(({ sentence, fields, differences, details }) => ({ sentence, fields, differences, details })),
      [],
    );
  });
}

async function findingsOf(bug: Bug, isFixed: boolean): Promise<readonly Finding[]> {
  const { kind, samples = [], controller } = bug;
  const { findings } = await explore({
    kinds: [kind],
    controllers: [controller(isFixed)],
    samples,
    trials: TRIALS,
    budget: '10m',
    report: 'return',
    problems: 1,
  });
  return findings;
}
