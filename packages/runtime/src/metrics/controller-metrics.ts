import type { Families } from './families.js';
import type { Counter, Gauge, Histogram } from '@kubewright/api/metrics';

/** The result of a reconcile. 'conflict' is counted as a requeue and additionally as a conflict. */
export type CountedResult = 'success' | 'error' | 'requeue' | 'requeue_after' | 'conflict';

const RESULTS = ['success', 'error', 'requeue', 'requeue_after'] as const;
/** The causes that have their own label value. All others are counted as 'other', so that the number of label values is limited. */
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

/** The steps before a reconcile in which an error can occur. */
const ORIGINS = ['predicate', 'map', 'references', 'owner', 'source', 'change'] as const;
export type TriggerErrorOrigin = (typeof ORIGINS)[number];

/** Records the metrics of one controller. At the start, all series except the series of writes have the value 0. */
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

  /** Sets the maximum number of concurrent reconciles. */
  concurrency(workers: number): void {
    this.#max.set(workers);
  }
  /** Records the start of a reconcile with these causes. */
  began(causes: readonly { readonly kind: string }[]): void {
    this.#active.inc();
    for (const { kind } of causes) (this.#causes.get(kind) ?? this.#causes.get('other'))?.inc();
  }
  /** Records that a reconcile is no longer active. Must be called once for each call of `began`. */
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
  /** Records a terminal error, after which the object is not retried. */
  terminal(): void {
    this.#terminalErrors.inc();
  }
  /** Records a reconcile that failed because of a programming error. */
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
  /** Records a change that was ignored because the controller wrote it. */
  echo(): void {
    this.#echoes.inc();
  }
  /** Records a hot loop: an object that is written repeatedly without lasting effect. */
  hotLoop(): void {
    this.#hotLoops.inc();
  }
  /** Records an error in a step before a reconcile, or an invalid result of such a step. */
  triggerFailed(origin: TriggerErrorOrigin): void {
    this.#triggerErrors.get(origin)?.inc();
  }
  /** Sets the number of paused objects. */
  paused(objects: number): void {
    this.#paused.set(objects);
  }
}
