import { inspect } from 'node:util';
import { isInvalid, TerminalError } from '@kubewright/runtime';
import { writeNameText } from '../../writes/write-name.js';
import { stateDifferences } from '../state/state-differences.js';
import { OLDER_GENERATION, type WorldState } from '../state/world-state.js';
import type { Observation, Trial, TrialResult } from '../trials/run-trial.js';
import { isOther, type Step } from '../trials/step.js';
import type { Finding, Oracle } from './finding.js';
import { type Invariant, objectViolations } from './object-oracles.js';
import { type Violation, violationOf } from './violation.js';

/** Errors that JavaScript throws if a program uses a value in a wrong way, such as a property of undefined. */
const EXCEPTIONS = [TypeError, RangeError, ReferenceError, SyntaxError];

/** Returns the rules that a single history violates. */
export function singleFindings(
  trial: Trial,
  result: TrialResult,
  {
    fields,
    invariants,
  }: { readonly fields: readonly string[]; readonly invariants: Readonly<Record<string, Invariant>> },
): readonly Finding[] {
  const { initial, observations, missingPermission } = result;
  const inSteps = observations.flatMap((observation, at) => {
    if (!observation.isRunning) return [];
    const before = observations.slice(0, at).findLast(({ state }) => state !== undefined);
    const isOver = observation.state === undefined || observation.unconverged !== undefined;
    const ofObjects = isOver ? [] : objectViolations(observation, before, invariants);
    return [...violationsOf(trial, observation, { before: observations[at - 1], initial }), ...ofObjects].map(
      (violation) => ({ ...violation, at }),
    );
  });
  const permission =
    missingPermission === undefined
      ? []
      : [{ ...violation('permission', 'a permission is not declared', [missingPermission]), at: observations.length }];
  return [...inSteps, ...permission].map(({ cause, ...each }) => ({
    ...each,
    trial,
    fields,
    expected: undefined,
    differences: [],
    signature: `${each.oracle} ${cause ?? each.details.join(', ')}`,
  }));
}

/**
 * Whether the operator cannot realize the declaration: the operator still fails, it failed with an error that is not retried, or the server
 * rejected an object of the operator.
 */
export function isRefusedByOperator({ isFailing, errors }: Observation): boolean {
  return isFailing || errors.some(({ error }) => error instanceof TerminalError || isInvalid(error));
}

function violationsOf(
  trial: Trial,
  observation: Observation,
  { before, initial }: { readonly before: Observation | undefined; readonly initial: WorldState },
): readonly Violation[] {
  const exceptions = observation.errors
    .filter(({ error }) => isException(error))
    .map(({ error }) => violation('exception', 'a valid object causes an exception', [firstLines(error)]));
  if (observation.unconverged !== undefined) {
    const { changing } = observation.unconverged;
    return [...exceptions, { ...violation('converges', 'the operator does not converge', changing), cause: '' }];
  }
  return [
    ...exceptions,
    ...needlessWrites(trial, observation, before),
    ...(isDeletion(observation.step) ? deletionViolations(observation, initial) : []),
    ...outdatedStatus(observation),
  ];
}

/**
 * Returns the violations of the rules `quiet` and `restart`. Does not check `restart` if the trial has faults, or if the operator failed
 * before the restart, because a fault or the retry of a failed reconcile can then cause writes.
 */
function needlessWrites(
  { faults = [] }: Trial,
  { step, restless, changed }: Observation,
  before: Observation | undefined,
): readonly Violation[] {
  const isNeedless = before?.state !== undefined && !before.isFailing && faults.length === 0 && changed.length > 0;
  return [
    ...(restless.length > 0 ? [violationOf('quiet', 'the operator writes although nothing changes', restless)] : []),
    ...(step.action === 'restart' && isNeedless
      ? [violationOf('restart', 'the operator writes after a restart although nothing changed', changed)]
      : []),
  ];
}

function isDeletion(step: Step): boolean {
  return step.action === 'delete' && !isOther(step);
}

function deletionViolations(observation: Observation, initial: WorldState): readonly Violation[] {
  const { state, hasSubject } = observation;
  if (state === undefined) return [];
  if (hasSubject)
    return [
      { ...violation('deletion', 'the deleted object does not disappear', errorsOf(observation)), cause: 'stays' },
    ];
  const remaining = [...new Set(stateDifferences(state, initial).map(({ object }) => object))];
  const late = lateWrites(observation);
  return [
    ...(remaining.length > 0
      ? [violationOf('deletion', 'objects remain after the deletion of their owner', remaining)]
      : []),
    ...(late.length > 0
      ? [violation('after-finalizer', 'the operator writes after it removed its finalizer', late)]
      : []),
  ];
}

function outdatedStatus({ state, isFailing }: Observation): readonly Violation[] {
  const outdated = [...(state ?? [])].filter(([, content]) => hasOldGeneration(content)).map(([name]) => name);
  if (outdated.length === 0 || isFailing) return [];
  return [violation('status', 'observedGeneration is not current although the operator has converged', outdated)];
}

function violation(oracle: Oracle, sentence: string, details: readonly string[]): Violation {
  return { oracle, sentence, details };
}

function isException(error: unknown): boolean {
  return !(error instanceof Error) || EXCEPTIONS.some((each) => error instanceof each);
}

/** Returns the message of an error, and the innermost function of the operator in its stack. */
function firstLines(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error);
  const [, ...frames] = (error.stack ?? '').split('\n');
  const frame = frames.find((line) => !line.includes('node:') && !line.includes('node_modules'));
  return frame === undefined ? `${error.name}: ${error.message}` : `${error.name}: ${error.message} ${frame.trim()}`;
}

/** Returns the distinct messages of the errors of reconciles. */
export function errorsOf({ errors }: Observation): readonly string[] {
  return [...new Set(errors.map(({ error }) => (error instanceof Error ? error.message : inspect(error))))];
}

/** Returns the writes after the last change of the finalizers of the deleted object. */
function lateWrites({ writes }: Observation): readonly string[] {
  const removal = writes.findLastIndex(({ fields }) => fields.includes('metadata.finalizers'));
  return removal < 0 ? [] : writes.slice(removal + 1).map(writeNameText);
}

function hasOldGeneration(value: unknown): boolean {
  if (value === OLDER_GENERATION) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasOldGeneration);
}
