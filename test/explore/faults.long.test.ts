import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeFault, explore, type FaultKind, type Finding } from '@kubewright/testing';
import { FAULT_KINDS } from '@kubewright/testing/internal';
import { clusterBugs } from './bugs/fault-cluster.js';
import type { FaultBug } from './bugs/fault-bug.js';
import { eventBugs } from './bugs/fault-events.js';
import { requestBugs } from './bugs/fault-requests.js';
import { isThorough, trialsOf } from './trials.js';

/** The maximum number of trials of each exploration with KUBEWRIGHT_EXPLORE_ALL. */
const TRIALS = 80;
/** Why the tests without findings are skipped; false if they run. */
const skip = isThorough ? false : 'KUBEWRIGHT_EXPLORE_ALL is not 1';

for (const bug of [...requestBugs, ...eventBugs, ...clusterBugs]) {
  test(`explore finds the bug ${bug.name} with the faults ${bug.faults.join(', ')}`, async () => {
    const findings = await findingsOf(bug, { isFixed: false, faults: bug.faults });
    assert.ok(
      findings.some(({ oracle }) => bug.faults.some((kind) => kind === oracle)),
      `explore found: ${shown(findings).join('\n') || 'nothing'}`,
    );
  });
  test(`explore does not find the bug ${bug.name} with all other faults`, { skip }, async () => {
    const faults = FAULT_KINDS.filter((kind) => !bug.faults.includes(kind));
    assert.deepEqual(shown(await findingsOf(bug, { isFixed: false, faults })), []);
  });
  test(`explore finds nothing without the bug ${bug.name}`, async () => {
    const faults = isThorough ? FAULT_KINDS : bug.faults;
    assert.deepEqual(shown(await findingsOf(bug, { isFixed: true, faults })), []);
  });
}

async function findingsOf(
  bug: FaultBug,
  { isFixed, faults }: { readonly isFixed: boolean; readonly faults: readonly FaultKind[] },
): Promise<readonly Finding[]> {
  const { kind, samples = [], objects = [], external, controller, trials = 30, alsoViolates = [] } = bug;
  const { findings } = await explore({
    kinds: [kind],
    controllers: [controller(isFixed)],
    samples,
    objects,
    ...(external && { external }),
    faults,
    oracles: Object.fromEntries(alsoViolates.map((rule) => [rule, 'off'])),
    trials: trialsOf(trials, TRIALS),
    shrinkTrials: 0,
    budget: '30m',
    report: 'return',
    problems: 1,
  });
  return findings;
}

function shown(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ sentence, details, differences, trial: { faults = [] } }) =>
    JSON.stringify({ sentence, details, differences, faults: faults.map(describeFault) }),
  );
}
