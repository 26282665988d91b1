/** An amount that is a number, or a share of the whole such as '25%'; shares are rounded, anything else counts as 0. */
export function scaledAmount(value: unknown, whole: number, round: (share: number) => number): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !value.endsWith('%')) return 0;
  return round((Number(value.slice(0, -1)) * whole) / 100);
}
