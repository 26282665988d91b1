/** Returns the smallest value of a list, or Infinity for an empty list. */
export function leastOf(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
}

/** Returns the largest value of a list, or -Infinity for an empty list. */
export function mostOf(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
}
