/** One result of a benchmark. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Upper limit of the value. */
  readonly goal?: number;
  /** The value of the checkout in `--against`, measured in the same run. */
  readonly before?: number;
  /** Another program, measured in the same run. The value is undefined if the program is not available. */
  readonly peer?: { readonly name: string; readonly value?: number };
}

/** Returns the median of an odd number of values. */
export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}

/** Formats the measurements as a table, with the outcome of each goal, or the comparison with another checkout, and the value of a peer. */
export function table(measurements: readonly Measurement[]): string {
  const rows = measurements.map((measurement) => [
    measurement.name,
    `${rounded(measurement.value)} ${measurement.unit}`,
    verdict(measurement),
    beside(measurement),
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 1 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return rows.map(line).join('\n');
}

function verdict({ value, unit, goal, before }: Measurement): string {
  if (before !== undefined) return `${(value / before).toFixed(2)} times ${rounded(before)} ${unit}`;
  return goal === undefined ? '' : `${value < goal ? 'below' : 'NOT below'} ${goal} ${unit}`;
}

function beside({ value, unit, peer }: Measurement): string {
  if (peer === undefined) return '';
  if (peer.value === undefined) return `${peer.name}: not measured`;
  return `${peer.name}: ${rounded(peer.value)} ${unit}, ${(value / peer.value).toFixed(2)} times`;
}

/** Whether the value of each measurement with a goal is below the goal. */
export function isMet(measurements: readonly Measurement[]): boolean {
  return measurements.every(({ value, goal }) => goal === undefined || value < goal);
}

function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
