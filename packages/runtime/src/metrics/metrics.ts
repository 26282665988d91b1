import { expositionOf, type Family, TEXT_FORMAT } from '@kubewright/api/metrics';
import { maskText } from '@kubewright/api/secrets';
import { ClientMetrics, type ClientMetricName } from './client-metrics.js';
import { ControllerMetrics } from './controller-metrics.js';
import { type Families, newFamilies } from './families.js';
import { type InformerReading, measureInformers } from './informer-metrics.js';
import { type MetricsOptions, resolveMetricsOptions } from './metrics-options.js';
import { OtherRegistries } from './other-registries.js';
import { QueueMetrics } from './queue-metrics.js';
import { WebhookMetrics } from './webhook-metrics.js';

const EVENT_OUTCOMES = ['sent', 'silenced', 'dropped', 'failed'] as const;

/** The number of Kubernetes events by result. */
export type EventReading = { readonly [K in (typeof EVENT_OUTCOMES)[number]]: number };

/** An optional kind, and whether the API server serves it. */
export interface KindReading {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly isServed: boolean;
}

/** The current state of a leader election, for metrics. */
export interface ElectionReading {
  /** The name of the Lease. */
  readonly name: string;
  readonly isLeader: boolean;
  readonly slowPaths: number;
}

/**
 * The metrics of a manager. Names, labels and buckets are the same as in controller-runtime and client-go. Additional metrics have the
 * prefix `kubewright_`.
 *
 * Use prom-client to define metrics of the program. `text` includes the metrics of the global registry of prom-client:
 * ```ts
 * import { Counter } from 'prom-client';
 * const started = new Counter({ name: 'virtual_machines_started_total', help: 'Virtual machines that were started.' });
 * ```
 */
export class Metrics {
  /** The content type of the result of `text`. */
  readonly contentType = TEXT_FORMAT;
  /** The metrics of the runtime, so that tests can read them. */
  readonly families: Families = newFamilies();
  readonly #others: OtherRegistries;
  readonly #client: ReadonlySet<ClientMetricName>;
  readonly #collectors = new Set<() => void>();

  /** Creates the metrics. Throws INVALID_METRICS_OPTIONS if an option is invalid. */
  constructor(options: MetricsOptions = {}) {
    const { client, ...others } = resolveMetricsOptions(options);
    this.#client = client;
    this.#others = new OtherRegistries(others);
  }

  /** Returns the object that records the metrics of a controller. */
  controller(name: string): ControllerMetrics {
    return new ControllerMetrics(this.families, name);
  }
  /** Returns the object that records the metrics of a queue. */
  queue(name: string): QueueMetrics {
    return new QueueMetrics(this.families, name);
  }
  /** Returns the object that records the metrics of requests to an API server. `host` is its host and port. */
  client(host: string): ClientMetrics {
    return new ClientMetrics(this.families, { host, enabled: this.#client });
  }

  /** Returns the object that records the metrics of a webhook. `path` is its HTTP path. */
  webhook(path: string): WebhookMetrics {
    return new WebhookMetrics(this.families, path);
  }

  /**
   * Calls `read` before each collection, and sets the metrics of informers. Returns a function that stops the calls and removes the series.
   */
  followInformers(read: () => Iterable<InformerReading>): () => void {
    const end = this.onCollect(() => measureInformers(this.families, read()));
    return () => {
      end();
      measureInformers(this.families, []);
    };
  }
  /**
   * Calls `read` before each collection, and sets whether optional kinds are served. Returns a function that stops the calls and removes
   * the series.
   */
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
   * Calls `read` before each collection, and sets the numbers of Kubernetes events. Returns a function that calls `read` one last time and
   * stops the calls.
   */
  followEvents(read: () => EventReading): () => void {
    return this.#follow(() => {
      const reading = read();
      for (const outcome of EVENT_OUTCOMES) this.families.events.of(outcome).reach(reading[outcome]);
    });
  }
  /**
   * Calls `read` before each collection, and sets the state of a leader election. Returns a function that calls `read` one last time and
   * stops the calls.
   */
  followElection(read: () => ElectionReading): () => void {
    return this.#follow(() => {
      const { name, isLeader, slowPaths } = read();
      this.families.leader.of(name).set(isLeader ? 1 : 0);
      this.families.leaderSlowPaths.of(name).reach(slowPaths);
    });
  }

  /**
   * Calls `collect` before each collection of metrics, for values that are easier to read than to track. Returns a function that stops the
   * calls.
   */
  onCollect(collect: () => void): () => void {
    this.#collectors.add(collect);
    return () => void this.#collectors.delete(collect);
  }

  /** The metrics that were omitted at the last collection, with the reason: the name is already used, or the metric has thrown an error. */
  get problems(): ReadonlyMap<string, unknown> {
    return this.#others.problems;
  }

  /** Collects all metrics, and returns them in the Prometheus text format. */
  async text(): Promise<string> {
    for (const collect of this.#collectors) collect();
    const families: readonly Family[] = Object.values(this.families);
    const own = families.map((family) => expositionOf(family, maskText)).join('');
    return own + (await this.#others.text(new Set(families.map(({ description }) => description.name))));
  }

  /** Calls `read` before each collection. Returns a function that calls `read` one last time and stops the calls. */
  #follow(read: () => void): () => void {
    const end = this.onCollect(read);
    return () => {
      end();
      read();
    };
  }
}
