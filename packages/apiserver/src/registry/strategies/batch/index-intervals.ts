import { goQuoted } from '../rules/go-text.js';

/**
 * Returns the number of indexes in a text such as `0-2,5`, or the error if the text is not valid. The indexes must increase, and each index
 * must be less than `limit`.
 */
export function countIndexes(text: string, limit: number): number | { readonly error: string } {
  if (text === '') return 0;
  let last = -1;
  let total = 0;
  for (const part of text.split(',')) {
    const interval = intervalOf(part, limit);
    if ('error' in interval) return interval;
    const { first, end } = interval;
    if (total > 0 && last >= first) return { error: `non-increasing order, previous: ${last}, current: ${first}` };
    total += end - first + 1;
    last = end;
  }
  return total;
}

interface Interval {
  readonly first: number;
  readonly end: number;
}

function intervalOf(text: string, limit: number): Interval | { readonly error: string } {
  const parts = text.split('-');
  if (parts.length > 2) {
    const rule = "violates the requirement that an index interval can have at most two parts separated by '-'";
    return { error: `the fragment ${goQuoted(text)} ${rule}` };
  }
  const numbers: number[] = [];
  for (const part of parts) {
    if (!/^[+-]?\d+$/.test(part)) return { error: `cannot convert string to integer for index: ${goQuoted(part)}` };
    if (Number(part) >= limit) return { error: `too large index: ${goQuoted(part)}` };
    numbers.push(Number(part));
  }
  const [first = 0, end = first] = numbers;
  if (numbers.length > 1 && first >= end) return { error: `non-increasing order, previous: ${first}, current: ${end}` };
  return { first, end };
}
