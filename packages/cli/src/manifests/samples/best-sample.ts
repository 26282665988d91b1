import type { FieldError } from '@kubewright/api/schema';
import { type Decision, Decisions, type Deviations, keyOf } from './decisions.js';

/** A sample, and the validation errors of the sample. */
export interface ValidatedSample<T> {
  readonly sample: T;
  readonly problems: readonly FieldError[];
}

/** The functions that `bestSample` uses to create and to validate samples. */
export interface SampleMaking<T> {
  readonly make: (decisions: Decisions) => T;
  /** Returns the errors of each stage of the validation. The errors of a stage matter only if the earlier stages have no errors. */
  readonly judge: (sample: T) => readonly (readonly FieldError[])[];
}

interface Attempt<T> extends ValidatedSample<T> {
  readonly deviations: Deviations;
  readonly decisions: readonly Decision[];
  /**
   * The score of the sample: 0 for a valid sample. The score increases with the number of errors. An error of an earlier stage counts more
   * than all errors of later stages.
   */
  readonly badness: number;
}

/** The maximum number of variants of the first sample that `bestSample` creates. */
const MOST = 300;

/**
 * Searches for a valid sample, and returns the first sample without errors, or otherwise the sample with the fewest errors. Starts with the
 * first option of every decision. Then changes one decision at a time, preferably of a field near an error, and continues with the best
 * sample. The result is deterministic.
 */
export function bestSample<T>(making: SampleMaking<T>): ValidatedSample<T> {
  const first = attempt(making, new Map());
  const open = [first];
  const seen = new Set<string>();
  let best = first;
  while (best.problems.length > 0 && seen.size < MOST) {
    const next = open.shift();
    if (next === undefined) break;
    for (const deviations of changesOf(next)) {
      const name = JSON.stringify([...deviations].toSorted(([a], [b]) => (a < b ? -1 : 1)));
      if (seen.has(name)) continue;
      seen.add(name);
      const found = attempt(making, deviations);
      if (found.badness < best.badness) best = found;
      if (best.problems.length === 0 || seen.size >= MOST) break;
      insert(open, found);
    }
  }
  return best;
}

function attempt<T>({ make, judge }: SampleMaking<T>, deviations: Deviations): Attempt<T> {
  const decisions = new Decisions(deviations);
  const sample = make(decisions);
  const stages = judge(sample);
  const stage = stages.findIndex((errors) => errors.length > 0);
  const problems = stages[stage] ?? [];
  const badness = stage === -1 ? 0 : problems.length + (stages.length - stage) * 1000;
  return { sample, problems, deviations, decisions: decisions.made, badness };
}

/**
 * Inserts an attempt into the sorted list of attempts. The list is sorted by `badness`, and then by the number of changed decisions.
 */
function insert<T>(open: Attempt<T>[], found: Attempt<T>): void {
  const cost = ({ badness, deviations }: Attempt<T>): number => badness * 100 + deviations.size;
  const at = open.findIndex((other) => cost(other) > cost(found));
  open.splice(at === -1 ? open.length : at, 0, found);
}

/** Returns all variants of an attempt with one changed decision. Changes only decisions about fields near an error, if there are any. */
function changesOf<T>({ decisions, deviations, problems }: Attempt<T>): readonly Deviations[] {
  const near = decisions.filter(({ field }) => problems.some((problem) => isNear(field, problem.field)));
  return (near.length === 0 ? decisions : near).flatMap((decision) =>
    Array.from({ length: decision.options }, (_, option) => option)
      .filter((option) => option !== decision.taken)
      .map((option) => new Map([...deviations, [keyOf(decision), option]])),
  );
}
function isNear(field: string, wrong: string): boolean {
  const around = wrong.replace(/(\.[^.[\]]*|\[[^\]]*\])$/, '');
  return around === wrong || field.startsWith(around) || wrong.startsWith(field);
}
