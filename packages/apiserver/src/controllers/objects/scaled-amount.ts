/**
 * Returns `value` as a number. A percentage such as '25%' is a share of `whole`, which is rounded with `round`. Values of other types count
 * as 0.
 */
export function scaledAmount(value: unknown, whole: number, round: (share: number) => number): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !value.endsWith('%')) return 0;
  return round((Number(value.slice(0, -1)) * whole) / 100);
}
