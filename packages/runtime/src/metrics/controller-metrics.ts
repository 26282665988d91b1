import type { Families } from './families.js';
import type { Counter, Gauge, Histogram } from './series.js';

/** The result of a reconcile. A conflict is counted as a requeue, and additionally as a conflict. */
export type CountedResult = 'success' | 'error' | 'requeue' | 'requeue_after' | 'conflict';

const RESULTS = ['success', 'error', 'requeue', 'requeue_after'] as const;
/** The causes with their own label value. Other causes are counted as 'other', so that the number of label values is limited. */
const CAUSES = [
  'added',
  'modified',
  'deleted',
  'owned',
  'watched',
  'requeue',
  'retry',
  'conflict',
  'every',
  'resumed',
  'manual',
  'other',
] as const;

/** The steps before a reconcile that can fail. */
const ORIGINS = ['predicate', 'map', 'references', 'owner', 'source', 'change'] as const;
export type TriggerErrorOrigin = (typeof ORIGINS)[number];

/** The metrics of one controller. Creates all series with the value 0. */
export class ControllerMetrics {
  readonly #families: Families;
  readonly #name: string;
  readonly #results: ReadonlyMap<string, Counter>;
  readonly #causes: ReadonlyMap<string, Counter>;
  readonly #errors: Counter;
  readonly #terminalErrors: Counter;
  readonly #panics: Counter;
  readonly #timeouts: Counter;
  readonly #conflicts: Counter;
  readonly #echoes: Counter;
  readonly #hotLoops: Counter;
  readonly #triggerErrors: ReadonlyMap<string, Counter>;
  readonly #seconds: Histogram;
  readonly #active: Gauge;
  readonly #max: Gauge;
  readonly #paused: Gauge;

  constructor(families: Families, name: string) {
    this.#families = families;
    this.#name = name;
    this.#results = new Map(RESULTS.map((result) => [result, families.reconciles.of(name, result)]));
    this.#causes = new Map(CAUSES.map((cause) => [cause, families.causes.of(name, cause)]));
    this.#errors = families.reconcileErrors.of(name);
    this.#terminalErrors = families.terminalErrors.of(name);
    this.#panics = families.panics.of(name);
    this.#timeouts = families.timeouts.of(name);
    this.#conflicts = families.conflicts.of(name);
    this.#echoes = families.echoes.of(name);
    this.#hotLoops = families.hotLoops.of(name);
    this.#triggerErrors = new Map(ORIGINS.map((origin) => [origin, families.triggerErrors.of(name, origin)]));
    this.#seconds = families.reconcileSeconds.of(name);
    this.#active = families.activeWorkers.of(name);
    this.#max = families.maxConcurrent.of(name);
    this.#paused = families.paused.of(name);
  }

  /** Records the maximum number of concurrent reconciles. */
  concurrency(workers: number): void {
    this.#max.set(workers);
  }
  /** Records the start of a reconcile with these causes. */
  began(causes: readonly { readonly kind: string }[]): void {
    this.#active.inc();
    for (const { kind } of causes) (this.#causes.get(kind) ?? this.#causes.get('other'))?.inc();
  }
  /** Records the end of an active reconcile. Must be called once for each `began`. */
  left(): void {
    this.#active.dec();
  }
  /** Records the result and the duration of a reconcile. */
  ended(result: CountedResult, durationMs: number): void {
    this.#seconds.observe(durationMs / 1000);
    this.#results.get(result === 'conflict' ? 'requeue' : result)?.inc();
    if (result === 'conflict') this.#conflicts.inc();
    else if (result === 'error') this.#errors.inc();
  }
  /** Records a terminal error, which is not retried. */
  terminal(): void {
    this.#terminalErrors.inc();
  }
  /** Records an error that is a bug in the code. */
  panicked(): void {
    this.#panics.inc();
  }
  /** Records a reconcile that exceeded its time limit. */
  timedOut(): void {
    this.#timeouts.inc();
  }
  /** Records a write of a reconcile. */
  wrote(verb: string, kind: string): void {
    this.#families.writes.of(this.#name, verb, kind).inc();
  }
  /** Records that an event of the controller's own write was ignored. */
  echo(): void {
    this.#echoes.inc();
  }
  /** Records a hot loop: an object that is written repeatedly without reaching a stable state. */
  hotLoop(): void {
    this.#hotLoops.inc();
  }
  /** Records a failed predicate, mapper or source, or an invalid result of one. */
  triggerFailed(origin: TriggerErrorOrigin): void {
    this.#triggerErrors.get(origin)?.inc();
  }
  /** Sets the number of paused objects. */
  paused(objects: number): void {
    this.#paused.set(objects);
  }
}
