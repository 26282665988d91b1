import type { Families } from './families.js';
import type { Counter, Gauge, Histogram } from './series.js';

/** How a reconcile ended, as it is counted. A conflict is counted as a requeue, and apart as a conflict. */
export type CountedResult = 'success' | 'error' | 'requeue' | 'requeue_after' | 'conflict';

const RESULTS = ['success', 'error', 'requeue', 'requeue_after'] as const;
/** Causes that are not named here are counted as 'other', so that a label never has values without end. */
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

/** On the way to a reconcile, what may fail. */
const ORIGINS = ['predicate', 'map', 'references', 'owner', 'source', 'change'] as const;
export type TriggerErrorOrigin = (typeof ORIGINS)[number];

/** What is measured of one controller. All series are there, at 0, from its making. */
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

  /** How many objects may be reconciled at a time. */
  concurrency(workers: number): void {
    this.#max.set(workers);
  }
  /** A reconcile begins, for these causes. */
  began(causes: readonly { readonly kind: string }[]): void {
    this.#active.inc();
    for (const { kind } of causes) (this.#causes.get(kind) ?? this.#causes.get('other'))?.inc();
  }
  /** It is over; must follow each `began`. */
  left(): void {
    this.#active.dec();
  }
  /** A reconcile ran to its end. */
  ended(result: CountedResult, durationMs: number): void {
    this.#seconds.observe(durationMs / 1000);
    this.#results.get(result === 'conflict' ? 'requeue' : result)?.inc();
    if (result === 'conflict') this.#conflicts.inc();
    else if (result === 'error') this.#errors.inc();
  }
  /** The error with which it ended cannot be helped by trying again. */
  terminal(): void {
    this.#terminalErrors.inc();
  }
  /** The error with which it ended is a mistake in the code. */
  panicked(): void {
    this.#panics.inc();
  }
  /** Its time limit was over first. */
  timedOut(): void {
    this.#timeouts.inc();
  }
  /** A write of a reconcile. */
  wrote(verb: string, kind: string): void {
    this.#families.writes.of(this.#name, verb, kind).inc();
  }
  /** The echo of an own write was swallowed. */
  echo(): void {
    this.#echoes.inc();
  }
  /** An object was found to be written back and forth. */
  hotLoop(): void {
    this.#hotLoops.inc();
  }
  /** A predicate, a mapper, a source or what they gave was of no use. */
  triggerFailed(origin: TriggerErrorOrigin): void {
    this.#triggerErrors.get(origin)?.inc();
  }
  /** How many objects are paused now. */
  paused(objects: number): void {
    this.#paused.set(objects);
  }
}
