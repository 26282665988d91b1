import { isJsonObject } from '@kubewright/api/json';
import { fieldOf } from '../state/mask.js';
import type { Trial } from '../trials/run-trial.js';
import type { Step } from '../trials/step.js';
import type { Finding } from '../search/finding.js';
import { type CheckUsing, checkedHistory, withHistory } from './checked-history.js';
import { savedTrial } from './saved-finding.js';

/** The maximum depth of the fields in a spec that the reduction removes one by one. */
const DEEPEST = 4;

/** What the reduction of a history uses. */
export interface ShrinkUsing extends CheckUsing {
  /** Whether the reduction must end. Called before each reduced history is checked. */
  readonly isOver: () => boolean;
}

/**
 * Reduces the history of a finding as long as the history violates the same rule: removes steps, faults, and fields of the declarations.
 * Keeps the signature of the finding.
 */
export async function shrunkFinding(finding: Finding, using: ShrinkUsing): Promise<Finding> {
  const tried = new Set([keyOf(finding.trial)]);
  let best = finding;
  for (let next: Finding | undefined = best; next !== undefined; ) {
    best = next;
    next = await smaller(best, tried, using);
  }
  return best;
}

/** Returns the finding with a smaller history, or undefined if no smaller history violates the same rule. */
async function smaller(finding: Finding, tried: Set<string>, using: ShrinkUsing): Promise<Finding | undefined> {
  for (const trial of smallerTrials(finding.trial)) {
    const candidate = withHistory(finding, trial);
    if (candidate === undefined || tried.has(keyOf(trial))) continue;
    if (using.isOver()) return undefined;
    tried.add(keyOf(trial));
    const found = await checkedHistory(candidate, using);
    if (found !== undefined && isSameProblem(found, finding)) {
      const { fields, signature } = finding;
      return { ...found, fields, signature };
    }
  }
  return undefined;
}

/** Whether each field that differs in a finding also differs in the known finding. */
function isSameProblem({ differences }: Finding, known: Finding): boolean {
  const fields = new Set(known.differences.map(fieldOf));
  return differences.every((difference) => fields.has(fieldOf(difference)));
}

/**
 * Yields the trials without one of the steps, then the trials without one of the faults, and then the trials without one of the fields of
 * all declarations.
 */
function* smallerTrials(trial: Trial): Generator<Trial> {
  const { faults = [], ...plain } = trial;
  const { steps } = plain;
  for (const at of steps.keys()) yield { ...trial, steps: steps.toSpliced(at, 1) };
  for (const at of faults.keys()) {
    const others = faults.toSpliced(at, 1);
    yield others.length === 0 ? plain : { ...plain, faults: others };
  }
  for (const path of new Set(steps.flatMap((step) => ('spec' in step ? [...pathsIn(step.spec)] : [])))) {
    yield { ...trial, steps: steps.map((step) => withoutField(step, path)) };
  }
}

/** Yields the paths of the fields in a value as JSON texts, each field before its nested fields. */
function* pathsIn(value: unknown, parents: readonly string[] = []): Generator<string> {
  if (!isJsonObject(value) || parents.length >= DEEPEST) return;
  for (const name of Object.keys(value)) yield JSON.stringify([...parents, name]);
  for (const [name, each] of Object.entries(value)) yield* pathsIn(each, [...parents, name]);
}

function withoutField(step: Step, path: string): Step {
  return 'spec' in step ? { ...step, spec: without(step.spec, JSON.parse(path) as readonly string[]) } : step;
}

function without(value: unknown, [name = '', ...below]: readonly string[]): unknown {
  if (!isJsonObject(value) || !(name in value)) return value;
  const { [name]: inner, ...others } = value;
  return below.length === 0 ? others : { ...value, [name]: without(inner, below) };
}

function keyOf(trial: Trial): string {
  return JSON.stringify(savedTrial(trial));
}
