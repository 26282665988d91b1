import { type ApiObject, stringAt } from '../../registry/json-object.js';

/** The annotation and label of a Pod with the index that it works on. */
export const completionIndexKey = 'batch.kubernetes.io/job-completion-index';

/** The index of a Pod of an Indexed Job, undefined without one. */
export function indexOf({ metadata }: ApiObject): number | undefined {
  const text = metadata.annotations?.[completionIndexKey] ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Whether the Pods of the Job work on one index each. */
export function isIndexed(job: ApiObject): boolean {
  return stringAt(job, 'spec', 'completionMode') === 'Indexed';
}

/** Indexes such as '0,2-4' as numbers. */
export function parseIndexes(text: string): readonly number[] {
  return text.split(',').flatMap((part) => {
    const [first = '', last = first] = part.split('-');
    if (first === '') return [];
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => Number(first) + at);
  });
}

/** Numbers as indexes, those in a row from the first to the last: '0,2-4'. */
export function formatIndexes(indexes: Iterable<number>): string {
  const runs: [number, number][] = [];
  for (const index of [...new Set(indexes)].toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === index - 1) run[1] = index;
    else runs.push([index, index]);
  }
  return runs.map(([first, last]) => formatRun(first, last)).join(',');
}

function formatRun(first: number, last: number): string {
  if (first === last) return String(first);
  return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
}
