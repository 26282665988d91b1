import { isDeepStrictEqual } from 'node:util';
import type { Mask } from '../state/mask.js';
import type { RunTrial, Trial } from '../trials/run-trial.js';
import { isFaultKind } from '../trials/faults/fault.js';
import { declare, isImmediate, isOther, secondsOf, type Step } from '../trials/step.js';
import { comparedFinding } from '../search/compared-oracles.js';
import type { Finding } from '../search/finding.js';
import type { Invariant } from '../search/object-oracles.js';
import { isReported } from '../search/trial-runner.js';
import { singleFindings } from '../search/single-oracles.js';

/** What the check of a history uses. */
export interface CheckUsing {
  readonly run: RunTrial;
  /** The fields that the comparison ignores. */
  readonly mask: Mask;
  /** Rules of the user by their names. @default none */
  readonly invariants?: Readonly<Record<string, Invariant>> | undefined;
}

/**
 * Runs the history of a finding again. Returns the finding with the current differences, or undefined if the history does not violate the
 * same rule. For the rule `effect`, always returns undefined, because this rule compares several histories.
 */
export async function checkedHistory(
  finding: Finding,
  { run, mask, invariants = {} }: CheckUsing,
): Promise<Finding | undefined> {
  const { trial, expected, oracle, fields, signature } = finding;
  const { observations, ...result } = await run(trial);
  if (expected === undefined) {
    const found = singleFindings(trial, { observations, ...result }, { fields, invariants });
    return found.find((each) => each.signature === signature);
  }
  const at = trial.steps.length - 1;
  const observation = observations[at];
  const state = (await run(expected)).observations[expected.steps.length - 1]?.state;
  if (observation?.state === undefined || state === undefined || isReported(oracle, observation)) return undefined;
  // Until its deletion, the other object is not part of the expected state.
  const onlyExpected = oracle === 'isolation' && !trial.steps.some((step) => step.action === 'delete' && isOther(step));
  const compared = { oracle, trial, at, onlyExpected, actual: observation.state, expected: { trial: expected, state } };
  return comparedFinding({ ...compared, fields }, mask);
}

/**
 * Returns the finding with another history, or undefined if this history cannot violate the rule of the finding. If the finding expects the
 * result of its own steps without faults, the new expected history has the steps of `trial` without faults. Otherwise, the new expected
 * history contains only the last declaration of the object.
 */
export function withHistory(finding: Finding, trial: Trial): Finding | undefined {
  const { expected, oracle } = finding;
  if (trial.steps[0]?.action !== 'declare' || !keepsRule(oracle, trial)) return undefined;
  const changed = { ...finding, trial, at: trial.steps.length - 1 };
  if (expected === undefined) return changed;
  const isSameWithoutFaults = isDeepStrictEqual(expected.steps, finding.trial.steps);
  const steps = isSameWithoutFaults ? trial.steps : [freshDeclaration(trial)].flatMap((step) => step ?? []);
  if (steps.length === 0) return undefined;
  const plain: Trial = { kind: trial.kind, steps };
  return isDeepStrictEqual(plain, trial) ? undefined : { ...changed, expected: plain };
}

function freshDeclaration({ steps }: Trial): Step | undefined {
  const last = steps.findLast((step) => step.action === 'declare' && !isOther(step));
  return last?.action === 'declare' ? declare(last.spec) : undefined;
}

/** Whether a history contains the steps to which the rule applies. */
function keepsRule(oracle: Finding['oracle'], { steps, faults = [] }: Trial): boolean {
  if (isFaultKind(oracle)) return faults[0]?.kind === oracle;
  switch (oracle) {
    case 'away':
      return steps.some(({ action }) => action === 'stop') && steps.some(({ action }) => action === 'start');
    case 'quick':
      return steps.some((step) => isImmediate(step) || secondsOf(step) !== undefined);
    case 'repair':
      return steps.some(({ action }) => action === 'edit-child' || action === 'delete-child');
    case 'isolation':
      return steps.some(isOther);
    case 'dependency':
      // The expected history can contain a change of an initial object, which `withHistory` does not preserve.
      return false;
    case 'recreation':
      return steps.some(({ action }) => action === 'delete');
    default:
      return true;
  }
}
