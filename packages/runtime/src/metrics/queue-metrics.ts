import type { Families } from './families.js';
import type { Counter, Gauge, Histogram } from '@kubewright/api/metrics';

const MOST_PRIORITIES = 25;
/** The label value that the 26th and all later priorities of a queue share. */
const TOO_MANY = 'exceeded_cardinality_limit';

/** Records the metrics of one queue. At the start, all series have the value 0. */
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

  /** Records that a key became ready. */
  added(): void {
    this.#adds.inc();
  }
  /** Records that a key with this priority waits for a worker. */
  waits(priority: number): void {
    this.#depth(priority).inc();
  }
  /** Records that the priority of a waiting key has changed. */
  moved(from: number, to: number): void {
    this.#depth(from).dec();
    this.#depth(to).inc();
  }
  /** Records that a worker took a key. `waitedMs` is the time since the key became ready. */
  taken(priority: number, waitedMs: number): void {
    this.#depth(priority).dec();
    this.#queueSeconds.observe(waitedMs / 1000);
  }
  /** Records that a worker has finished a key. */
  done(workedMs: number): void {
    this.#workSeconds.observe(workedMs / 1000);
  }
  /** Records an add with a delay. */
  delayed(): void {
    this.#retries.inc();
  }
  /** Sets the total and the longest time for which keys have been processed so far. */
  running(unfinishedMs: number, longestMs: number): void {
    this.#unfinished.set(unfinishedMs / 1000);
    this.#longest.set(longestMs / 1000);
  }

  /** Sets depths and durations to 0, because the queue has ended. */
  ended(): void {
    for (const gauge of [...this.#depths.values(), this.#beyond]) gauge?.set(0);
    this.running(0, 0);
  }

  /** Returns the gauge for the number of waiting keys with a priority. After its first use, a priority keeps its series. */
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
