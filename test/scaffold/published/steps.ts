import { readFile, rm } from 'node:fs/promises';
import { processTimes, sharedTime } from './process-times.js';

/** The duration of a step in seconds. */
export interface StepTime {
  readonly name: string;
  readonly seconds: number;
  /** Time in which a program of Kubewright ran, without npm and tsc. */
  readonly ours: number;
  readonly tsc: number;
  /** Whether the step belongs to the workflow from an empty folder to the first converged object. */
  readonly counts: boolean;
}

/** Runs and reports the steps of a test run. */
export class Steps {
  readonly times: StepTime[] = [];
  readonly #record: string;
  readonly #print: (line: string) => void;

  /** @param record the file in which processes write their times */
  constructor(record: string, print: (line: string) => void) {
    this.#record = record;
    this.#print = print;
  }

  /** Runs a step. The measured time ends at the first call of `reached`, or at the end of the work if `reached` is not called. */
  async step<T>(
    name: string,
    work: (reached: () => void) => Promise<T>,
    { counts = false }: { readonly counts?: boolean } = {},
  ): Promise<T> {
    await rm(this.#record, { force: true });
    const startMs = Date.now();
    let endMs: number | undefined;
    const result = await work(() => {
      endMs ??= Date.now();
    });
    endMs ??= Date.now();
    const written = await readFile(this.#record, 'utf8').catch(() => '');
    const { oursMs, tscMs } = sharedTime(processTimes(written), endMs);
    const time = { name, seconds: (endMs - startMs) / 1000, ours: oursMs / 1000, tsc: tscMs / 1000, counts };
    this.times.push(time);
    this.#print(line(time));
    return result;
  }

  /** The total of the workflow from an empty folder to the first converged object. */
  get first(): StepTime {
    const counted = this.times.filter(({ counts }) => counts);
    const sum = (key: 'seconds' | 'ours' | 'tsc'): number => counted.reduce((total, each) => total + each[key], 0);
    return {
      name: 'empty folder → first object converged',
      seconds: sum('seconds'),
      ours: sum('ours'),
      tsc: sum('tsc'),
      counts: false,
    };
  }
}

/** Formats the times of a step, for example `  npm test        3.2 s (Kubewright 1.1 s, tsc 0.8 s)`. */
export function line({ name, seconds, ours, tsc }: StepTime): string {
  const parts = [ours >= 0.05 ? `Kubewright ${ours.toFixed(1)} s` : '', tsc >= 0.05 ? `tsc ${tsc.toFixed(1)} s` : ''];
  const shares = parts.filter((part) => part !== '').join(', ');
  return `  ${name.padEnd(48)} ${seconds.toFixed(1).padStart(5)} s${shares === '' ? '' : ` (${shares})`}`;
}
