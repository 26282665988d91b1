import { ClientMetrics, type ClientMetricName } from './client-metrics.js';
import { ControllerMetrics } from './controller-metrics.js';
import { expositionOf, TEXT_FORMAT } from './exposition.js';
import { type Families, newFamilies } from './families.js';
import type { Family } from './family.js';
import { type InformerReading, measureInformers } from './informer-metrics.js';
import { type MetricsOptions, resolveMetricsOptions } from './metrics-options.js';
import { OtherRegistries } from './other-registries.js';
import { QueueMetrics } from './queue-metrics.js';

const EVENT_OUTCOMES = ['sent', 'silenced', 'dropped', 'failed'] as const;

/** The numbers of Kubernetes events by outcome. */
export type EventReading = { readonly [K in (typeof EVENT_OUTCOMES)[number]]: number };

/** Whether the API server serves an optional kind. */
export interface KindReading {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly isServed: boolean;
}

/** The current state of a leader election. */
export interface ElectionReading {
  /** The name of the Lease. */
  readonly name: string;
  readonly isLeader: boolean;
  readonly slowPaths: number;
}

/**
 * The metrics of one manager. Names, labels and buckets match controller-runtime and client-go; additional metrics have the prefix
 * `kubewright_`. Counting is cheap, and the text is created only on request.
 *
 * Programs define their own metrics with prom-client. The text includes the metrics of its global registry:
 * ```ts
 * import { Counter } from 'prom-client';
 * const started = new Counter({ name: 'virtual_machines_started_total', help: 'Virtual machines that were started.' });
 * ```
 */
export class Metrics {
  /** The content type of `text`. */
  readonly contentType = TEXT_FORMAT;
  /** The metrics of the runtime, for inspection. */
  readonly families: Families = newFamilies();
  readonly #others: OtherRegistries;
  readonly #client: ReadonlySet<ClientMetricName>;
  readonly #collectors = new Set<() => void>();

  /** Creates the metrics. Throws INVALID_METRICS_OPTIONS. */
  constructor(options: MetricsOptions = {}) {
    const { client, ...others } = resolveMetricsOptions(options);
    this.#client = client;
    this.#others = new OtherRegistries(others);
  }

  /** Returns the metrics of one controller. */
  controller(name: string): ControllerMetrics {
    return new ControllerMetrics(this.families, name);
  }
  /** Returns the metrics of one queue. */
  queue(name: string): QueueMetrics {
    return new QueueMetrics(this.families, name);
  }
  /** Returns the metrics of the requests to one API server, by its host and port. */
  client(host: string): ClientMetrics {
    return new ClientMetrics(this.families, { host, enabled: this.#client });
  }

  /** Reads the state of informers before each exposition. Returns a function that ends the reads and removes the series. */
  followInformers(read: () => Iterable<InformerReading>): () => void {
    const end = this.onCollect(() => measureInformers(this.families, read()));
    return () => {
      end();
      measureInformers(this.families, []);
    };
  }
  /** Reads before each exposition whether optional kinds are served. Returns a function that ends the reads and removes the series. */
  followServedKinds(read: () => Iterable<KindReading>): () => void {
    const { kindServed } = this.families;
    const end = this.onCollect(() => {
      kindServed.clear();
      for (const { group, version, kind, isServed } of read())
        kindServed.of(group, version, kind).set(isServed ? 1 : 0);
    });
    return () => {
      end();
      kindServed.clear();
    };
  }
  /**
   * Reads the numbers of Kubernetes events before each exposition. Returns a function that reads the numbers once more and ends the reads.
   */
  followEvents(read: () => EventReading): () => void {
    return this.#follow(() => {
      const reading = read();
      for (const outcome of EVENT_OUTCOMES) this.families.events.of(outcome).reach(reading[outcome]);
    });
  }
  /** Reads the state of a leader election before each exposition. Returns a function that reads the state once more and ends the reads. */
  followElection(read: () => ElectionReading): () => void {
    return this.#follow(() => {
      const { name, isLeader, slowPaths } = read();
      this.families.leader.of(name).set(isLeader ? 1 : 0);
      this.families.leaderSlowPaths.of(name).reach(slowPaths);
    });
  }

  /** Calls `collect` before each exposition, for values that are cheaper to read than to track. Returns a function that ends the calls. */
  onCollect(collect: () => void): () => void {
    this.#collectors.add(collect);
    return () => void this.#collectors.delete(collect);
  }

  /** The metrics that the last exposition omitted, with the reason: a duplicate name, or an error that a metric threw. */
  get problems(): ReadonlyMap<string, unknown> {
    return this.#others.problems;
  }

  /** Returns all metrics in the Prometheus text format. */
  async text(): Promise<string> {
    for (const collect of this.#collectors) collect();
    const families: readonly Family[] = Object.values(this.families);
    const own = families.map(expositionOf).join('');
    return own + (await this.#others.text(new Set(families.map(({ description }) => description.name))));
  }

  /** Calls `read` before each exposition. Returns a function that calls `read` once more and ends the calls. */
  #follow(read: () => void): () => void {
    const end = this.onCollect(read);
    return () => {
      end();
      read();
    };
  }
}
