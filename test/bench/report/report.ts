import { medianRatio } from './statistics.js';

/** The measured programs: this clone, another checkout, and Go with controller-runtime. */
export type Program = 'kubewright' | 'before' | 'go';

/** A goal of a row: the highest ratio to Go, or the highest value in the unit of the row. */
export type Goal = { readonly ratio: number } | { readonly limit: number };

/** A row of the table. */
export interface Row {
  /** The name by which the command selects the row. */
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  /** The heading of the row on the page of the documentation. */
  readonly section: string;
  /** Whether higher values are better. @default false */
  readonly higherIsBetter?: boolean;
  readonly goal?: Goal;
}
/** A row with the values of each run. A value is undefined if the program was not measured in this run. */
export interface MeasuredRow extends Row {
  readonly values: Readonly<Partial<Record<Program, readonly (number | undefined)[]>>>;
}

/** The results of a command, as `--json` writes them. */
export interface Report {
  readonly date: string;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryGigabytes: number;
    readonly system: string;
  };
  /** The names and versions of what was measured, for example `Node.js` and `v20.20.2`. */
  readonly versions: Readonly<Record<string, string>>;
  readonly runs: number;
  readonly minutes: number;
  /** The load average of the last minute before each measurement: the lowest, the median and the highest. */
  readonly load: { readonly low: number; readonly median: number; readonly high: number };
  /** Reasons why a program was not measured. */
  readonly missing: readonly string[];
  /** The measurements that failed, with the errors. Their rows have no value in this run. */
  readonly failures: readonly string[];
  readonly rows: readonly MeasuredRow[];
}

/** Returns the values of a program that were measured. */
export function measuredValues({ values }: MeasuredRow, program: Program): readonly number[] {
  return (values[program] ?? []).filter((value) => value !== undefined);
}
/** Returns the median ratio of this clone to another program. Undefined if no run measured both. */
export function ratioTo({ values }: MeasuredRow, program: Program): number | undefined {
  return medianRatio(values.kubewright ?? [], values[program] ?? []);
}

/** The outcome of a goal. A ratio without a measurement of Go is unknown. */
export type Verdict = 'holds' | 'missed' | 'unknown' | 'none';
export function verdictOf(row: MeasuredRow, median: number | undefined): Verdict {
  const { goal } = row;
  if (goal === undefined) return 'none';
  const value = 'ratio' in goal ? ratioTo(row, 'go') : median;
  if (value === undefined) return 'unknown';
  const bound = 'ratio' in goal ? goal.ratio : goal.limit;
  return (row.higherIsBetter === true ? value >= bound : value <= bound) ? 'holds' : 'missed';
}

/** Describes a goal, for example `≤ 0.35 × Go` or `≤ 50 ms`. */
export function goalText({ goal, unit, higherIsBetter = false }: Row): string {
  if (goal === undefined) return '';
  const sign = higherIsBetter ? '≥' : '≤';
  return 'ratio' in goal ? `${sign} ${goal.ratio} × Go` : `${sign} ${goal.limit} ${unit}`;
}
