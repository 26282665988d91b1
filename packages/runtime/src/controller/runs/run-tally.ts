import type { Clock } from '@kubewright/api/clock';
import type { Write } from '../../client/scope/write.js';
import type { ControllerMetrics } from '../../metrics/controller-metrics.js';
import { type Counters, newCounters } from './controller-stats.js';
import { countedResult, isProgrammingError, type Outcome } from '../reconciler/outcome.js';
import type { ReconcileRun } from './reconcile-run.js';

/** Counts the runs, writes, echoes and hot loops of one reconcile loop, for `stats` and for the metrics. */
export class RunTally {
  readonly #clock: Clock;
  readonly #metrics: ControllerMetrics;
  readonly #counters = newCounters();

  constructor(clock: Clock, metrics: ControllerMetrics) {
    this.#clock = clock;
    this.#metrics = metrics;
  }

  get counters(): Readonly<Counters> {
    return this.#counters;
  }

  /** Counts a started run. */
  began({ context }: ReconcileRun): void {
    this.#metrics.began(context.causes);
  }
  /** Counts a write of a run that the server accepted. */
  wrote({ verb, object }: Write): void {
    this.#metrics.wrote(verb, object.kind);
  }
  /** Counts a change that was ignored because the controller wrote it. */
  echo(): void {
    this.#counters.echoes++;
    this.#metrics.echo();
  }
  /** Counts a detected hot loop. */
  hotLoop(): void {
    this.#counters.hotLoops++;
    this.#metrics.hotLoop();
  }
  /** Counts a completed run by its outcome. */
  ended(outcome: Outcome, { limit, startedMs }: ReconcileRun): void {
    const counters = this.#counters;
    if (limit.expired) {
      counters.timeouts++;
      this.#metrics.timedOut();
    }
    if (outcome.kind !== 'forgotten' && outcome.kind !== 'stopped' && outcome.kind !== 'paused') {
      const result = countedResult(outcome);
      const runMs = this.#clock.monotonicMs() - startedMs;
      counters.runs++;
      counters.runMs += runMs;
      counters[result === 'requeue_after' ? 'requeueAfter' : result]++;
      this.#metrics.ended(result, runMs);
      if (outcome.kind === 'error') this.#failed(outcome);
    }
    this.#metrics.left();
  }

  #failed({ error, terminal }: Outcome & { readonly kind: 'error' }): void {
    if (isProgrammingError(error)) this.#metrics.panicked();
    if (terminal === undefined) return;
    this.#counters.terminal++;
    this.#metrics.terminal();
  }
}
