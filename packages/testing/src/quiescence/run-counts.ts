import type { ObservedRun } from '@kubewright/runtime/internal';
import { runName } from './run-name.js';

/** The reconciles of one object while the environment settles. */
interface Runs {
  readonly run: ObservedRun;
  count: number;
  readonly writes: Map<string, number>;
}

/** An object that is reconciled again and again. */
export interface RepeatedRun {
  readonly controller: string;
  /** The kind and the key of the object. */
  readonly object: string;
  readonly count: number;
  /** The writes of the reconciles with their numbers, the most frequent write first. */
  readonly writes: readonly (readonly [attempted: string, count: number])[];
}

/** Counts the reconciles and the writes of each object, to find a hot loop independent of time. */
export class RunCounts {
  readonly #runs = new Map<string, Runs>();
  #ended = 0;
  #most: Runs | undefined;

  /** The number of reconciles that have ended. */
  get ended(): number {
    return this.#ended;
  }
  /** Returns the object with the most reconciles since `reset`, if the number of these reconciles is not below the given number. */
  most(atLeast: number): RepeatedRun | undefined {
    if (this.#most === undefined || this.#most.count < atLeast) return undefined;
    const { run, count, writes } = this.#most;
    const sorted = [...writes].toSorted(([, a], [, b]) => b - a);
    return { controller: run.controller, object: `${run.kind} ${run.object}`, count, writes: sorted };
  }

  /** Counts the start or the end of a reconcile. */
  note(run: ObservedRun): void {
    if (run.phase === 'ended') {
      this.#ended++;
      return;
    }
    const name = runName(run.controller, run.object);
    const runs = this.#runs.get(name) ?? { run, count: 0, writes: new Map() };
    runs.count++;
    this.#runs.set(name, runs);
    if (runs.count > (this.#most?.count ?? 0)) this.#most = runs;
  }
  /** Counts a write of a running reconcile. */
  wrote(name: string, attempted: string): void {
    const writes = this.#runs.get(name)?.writes;
    writes?.set(attempted, (writes.get(attempted) ?? 0) + 1);
  }
  /** Sets all numbers except `ended` to zero. */
  reset(): void {
    this.#runs.clear();
    this.#most = undefined;
  }
}
