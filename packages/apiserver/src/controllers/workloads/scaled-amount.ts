/**
 * Returns an amount that is a number or a percentage of the whole such as '25%'. Percentages are rounded with `round`. Other values count
 * as 0.
 */
export function scaledAmount(value: unknown, whole: number, round: (share: number) => number): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !value.endsWith('%')) return 0;
  return round((Number(value.slice(0, -1)) * whole) / 100);
}
