import { loadavg } from 'node:os';
import type { Figures } from '../operator/work.js';
import type { Step } from './schedule.js';

/** The options of `allFigures`. */
export interface StepOptions {
  readonly runs: number;
  readonly signal?: AbortSignal;
  /** Receives a line before each measurement, and after a failure. @default none */
  readonly onProgress?: (line: string) => void;
}
/** The results of all measurements. */
export interface AllFigures {
  /** The value of each run, by the name of the row and the program. */
  readonly values: ReadonlyMap<string, (number | undefined)[]>;
  /** The load average of the last minute before each measurement. */
  readonly loads: readonly number[];
  /** The measurements that failed, with the errors. */
  readonly failures: readonly string[];
}

/**
 * Measures the steps in order. A failed measurement has no values, and the next steps are still measured. Ends before the next step when
 * the signal is aborted.
 */
export async function allFigures(
  steps: readonly Step[],
  measure: (step: Step) => Promise<Figures>,
  { runs, signal, onProgress = () => undefined }: StepOptions,
): Promise<AllFigures> {
  const values = new Map<string, (number | undefined)[]>();
  const [loads, failures]: [number[], string[]] = [[], []];
  const isInterrupted = (): boolean => signal?.aborted === true;
  for (const step of steps) {
    if (isInterrupted()) break;
    const { cell, program, run } = step;
    onProgress(`run ${run + 1} of ${runs}: ${cell.name}, ${program}`);
    loads.push(loadavg()[0] ?? 0);
    let figures: Figures = {};
    try {
      figures = await measure(step);
    } catch (error) {
      // The terminal also interrupts the measured program.
      if (isInterrupted()) break;
      // The other rows are still useful.
      const failure = `${cell.name} of ${program} failed in run ${run + 1}: ${(error as Error).message}`;
      failures.push(failure);
      onProgress(failure);
    }
    for (const [figure, row] of Object.entries(cell.rows)) {
      const key = `${row.name} ${program}`;
      const measured = values.get(key) ?? Array.from<number | undefined>({ length: runs });
      measured[run] = figures[figure];
      values.set(key, measured);
    }
  }
  return { values, loads, failures };
}
