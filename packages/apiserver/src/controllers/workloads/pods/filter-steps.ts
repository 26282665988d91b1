import { Breaks, type Steps } from '@kubewright/api/apply';

/** Filters a list of any length in steps. */
export function* filterSteps<T>(items: readonly T[], test: (item: T) => boolean): Steps<readonly T[]> {
  const breaks = new Breaks();
  const found: T[] = [];
  for (const item of items) {
    if (test(item)) found.push(item);
    if (breaks.isDue()) yield;
  }
  return found;
}
