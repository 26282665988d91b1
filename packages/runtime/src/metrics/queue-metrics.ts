import type { Families } from './families.js';
import type { Counter, Gauge, Histogram } from './series.js';

const MOST_PRIORITIES = 25;
/** The value of the label from the 26th priority on. */
const TOO_MANY = 'exceeded_cardinality_limit';

/** What is measured of one queue. All series are there, at 0, from its making. */
export class QueueMetrics {
  readonly #families: Families;
  readonly #name: string;
  readonly #depths = new Map<number, Gauge>();
  #beyond: Gauge | undefined;
  readonly #adds: Counter;
  readonly #retries: Counter;
  readonly #queueSeconds: Histogram;
  readonly #workSeconds: Histogram;
  readonly #unfinished: Gauge;
  readonly #longest: Gauge;

  constructor(families: Families, name: string) {
    this.#families = families;
    this.#name = name;
    this.#depth(0);
    this.#adds = families.queueAdds.of(name, name);
    this.#retries = families.queueRetries.of(name, name);
    this.#queueSeconds = families.queueSeconds.of(name, name);
    this.#workSeconds = families.workSeconds.of(name, name);
    this.#unfinished = families.unfinishedSeconds.of(name, name);
    this.#longest = families.longestSeconds.of(name, name);
  }

  /** An add made the key ready that was not. */
  added(): void {
    this.#adds.inc();
  }
  /** A key waits for a worker now. */
  waits(priority: number): void {
    this.#depth(priority).inc();
  }
  /** The priority of a key that waits has changed. */
  moved(from: number, to: number): void {
    this.#depth(from).dec();
    this.#depth(to).inc();
  }
  /** A worker took the key, so long after it had become ready. */
  taken(priority: number, waitedMs: number): void {
    this.#depth(priority).dec();
    this.#queueSeconds.observe(waitedMs / 1000);
  }
  /** The work on a key ended. */
  done(workedMs: number): void {
    this.#workSeconds.observe(workedMs / 1000);
  }
  /** A key was added with a delay. */
  delayed(): void {
    this.#retries.inc();
  }
  /** How long what is under way has been going on, together and at most. */
  running(unfinishedMs: number, longestMs: number): void {
    this.#unfinished.set(unfinishedMs / 1000);
    this.#longest.set(longestMs / 1000);
  }

  /** The queue is no more: nothing waits in it, and nothing is under way. */
  ended(): void {
    for (const gauge of [...this.#depths.values(), this.#beyond]) gauge?.set(0);
    this.running(0, 0);
  }

  /** A priority that came once keeps its own series. */
  #depth(priority: number): Gauge {
    const known = this.#depths.get(priority);
    if (known !== undefined) return known;
    if (this.#depths.size >= MOST_PRIORITIES) return (this.#beyond ??= this.#depthOf(TOO_MANY));
    const gauge = this.#depthOf(String(priority));
    this.#depths.set(priority, gauge);
    return gauge;
  }
  #depthOf(label: string): Gauge {
    return this.#families.queueDepth.of(this.#name, this.#name, label);
  }
}
