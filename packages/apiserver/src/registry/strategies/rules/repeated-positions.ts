/** Returns the positions of values that also occur earlier in the list, in ascending order. Takes linear time. */
export function repeatedPositions(values: readonly unknown[]): ReadonlySet<number> {
  const known = new Set<unknown>();
  const repeated = new Set<number>();
  for (const [position, value] of values.entries()) {
    if (known.has(value)) repeated.add(position);
    known.add(value);
  }
  return repeated;
}
