/** The median of measured values, and their range. */
export interface Summary {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Returns the median. Of an even number of values, returns the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [before = Number.NaN, after = Number.NaN] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 0 ? (before + after) / 2 : after;
}

/** Returns the median, the lowest and the highest value. Undefined if there are no values. */
export function summary(values: readonly number[]): Summary | undefined {
  if (values.length === 0) return undefined;
  return { median: median(values), low: Math.min(...values), high: Math.max(...values) };
}

/**
 * Returns the median of the ratios of two measurements of the same run. Each run measures both programs one after the other, so that the
 * load of the machine affects both values of a ratio. Undefined if no run has both values.
 */
export function medianRatio(
  values: readonly (number | undefined)[],
  peers: readonly (number | undefined)[],
): number | undefined {
  const ratios = values.flatMap((value, run) => {
    const peer = peers[run];
    return value === undefined || peer === undefined ? [] : [value / peer];
  });
  return ratios.length === 0 ? undefined : median(ratios);
}

/** Formats a value with three significant digits, or without decimals from 100. */
export function rounded(value: number): string {
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return Number(value.toPrecision(3)).toString();
}
