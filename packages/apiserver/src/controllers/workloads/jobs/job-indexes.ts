import type { ApiObject } from '../../../registry/objects/api-object.js';
import { stringAt } from '../../../registry/objects/json-object.js';

/** The Pod annotation and label with the completion index. */
export const completionIndexKey = 'batch.kubernetes.io/job-completion-index';

/** The first and the last index of a range. */
type Run = readonly [first: number, last: number];

/** A set of indexes. Its memory depends on the number of ranges, not on the number of indexes. */
export class IndexSet {
  readonly #runs: readonly Run[];

  private constructor(runs: readonly Run[]) {
    this.#runs = joined(runs);
  }

  /** Parses indexes such as '0,2-4'. */
  static parse(text: string): IndexSet {
    const parts = text.split(',').filter((part) => part !== '');
    return new IndexSet(
      parts.map((part) => {
        const [first = '', last = first] = part.split('-');
        return [Number(first), Number(last)];
      }),
    );
  }

  /** The number of indexes. */
  get size(): number {
    return this.#runs.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  }

  /** Whether the set contains an index. The time is logarithmic in the number of ranges. */
  has(index: number): boolean {
    let [low, high] = [0, this.#runs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const [, last = 0] = this.#runs[middle] ?? [];
      if (last < index) low = middle + 1;
      else high = middle;
    }
    const run = this.#runs[low];
    return run !== undefined && run[0] <= index;
  }

  /** Returns the set with the indexes of another set. */
  union(other: IndexSet): IndexSet {
    return new IndexSet([...this.#runs, ...other.#runs]);
  }

  /** Returns the set with additional indexes. Drops all indexes that are `end` or higher. */
  with(indexes: readonly number[], end: number): IndexSet {
    const runs = [...this.#runs, ...indexes.map((index): Run => [index, index])];
    return new IndexSet(runs.filter(([first]) => first < end).map(([first, last]) => [first, Math.min(last, end - 1)]));
  }

  /** Returns the number of indexes that are in both sets. */
  countCommon(other: IndexSet): number {
    let count = 0;
    let at = 0;
    for (const [first, last] of this.#runs) {
      for (let run = other.#runs[at]; run !== undefined && run[0] <= last; run = other.#runs[at]) {
        count += Math.max(0, Math.min(last, run[1]) - Math.max(first, run[0]) + 1);
        if (run[1] > last) break;
        at += 1;
      }
    }
    return count;
  }

  /** Yields the indexes below `end` that are not in the set, in ascending order. */
  *missing(end: number): Generator<number, void, undefined> {
    let next = 0;
    for (const [first, last] of [...this.#runs, [end, end] as const]) {
      for (; next < Math.min(first, end); next += 1) yield next;
      next = last + 1;
    }
  }

  /** Returns the indexes as text, such as '0,2-4'. */
  toString(): string {
    return this.#runs.map(formatRun).join(',');
  }
}

/** Returns the index of a Pod of an Indexed Job, or undefined if the Pod does not have an index. */
export function indexOf({ metadata }: ApiObject): number | undefined {
  const text = metadata.annotations?.[completionIndexKey] ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Returns whether the Job is an Indexed Job. */
export function isIndexed(job: ApiObject): boolean {
  return stringAt(job, 'spec', 'completionMode') === 'Indexed';
}

/** Merges ranges. Returns the fewest ranges, in order. */
function joined(runs: readonly Run[]): readonly Run[] {
  const made: [first: number, last: number][] = [];
  for (const [first, last] of runs.toSorted(([a], [b]) => a - b)) {
    const before = made.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else made.push([first, last]);
  }
  return made;
}

function formatRun([first, last]: Run): string {
  if (first === last) return String(first);
  return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
}
