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

/** What became of Kubernetes events so far. */
export type EventReading = { readonly [K in (typeof EVENT_OUTCOMES)[number]]: number };

/** Whether the API server serves an optional kind. */
export interface KindReading {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly isServed: boolean;
}

/** How an election stands. */
export interface ElectionReading {
  /** Name of the Lease. */
  readonly name: string;
  readonly isLeader: boolean;
  readonly slowPaths: number;
}

/**
 * All that is measured of one manager, under the names, labels and buckets that controller-runtime and client-go use, and some of
 * our own (`kubewright_…`). Counting is plain arithmetic; a text is only made when somebody asks for it.
 *
 * Metrics of your own are made with prom-client; those of its global registry are served with these:
 * ```ts
 * import { Counter } from 'prom-client';
 * const started = new Counter({ name: 'virtual_machines_started_total', help: 'Virtual machines that were started.' });
 * ```
 */
export class Metrics {
  /** The content type of `text`. */
  readonly contentType = TEXT_FORMAT;
  /** The metrics of the runtime, to look at. */
  readonly families: Families = newFamilies();
  readonly #others: OtherRegistries;
  readonly #client: ReadonlySet<ClientMetricName>;
  readonly #collectors = new Set<() => void>();

  /** Throws INVALID_METRICS_OPTIONS. */
  constructor(options: MetricsOptions = {}) {
    const { client, ...others } = resolveMetricsOptions(options);
    this.#client = client;
    this.#others = new OtherRegistries(others);
  }

  /** The part of one controller. */
  controller(name: string): ControllerMetrics {
    return new ControllerMetrics(this.families, name);
  }
  /** The part of one queue. */
  queue(name: string): QueueMetrics {
    return new QueueMetrics(this.families, name);
  }
  /** The part of the requests to one API server, by its host and port. */
  client(host: string): ClientMetrics {
    return new ClientMetrics(this.families, { host, enabled: this.#client });
  }

  /** Reads how informers stand before each text. Returns what ends it. */
  followInformers(read: () => Iterable<InformerReading>): () => void {
    const end = this.onCollect(() => measureInformers(this.families, read()));
    return () => {
      end();
      measureInformers(this.families, []);
    };
  }
  /** Reads before each exposition whether optional kinds are served. Returns a function that stops this. */
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
  /** Reads what became of Kubernetes events before each text. Returns what reads it once more, and ends that. */
  followEvents(read: () => EventReading): () => void {
    return this.#follow(() => {
      const reading = read();
      for (const outcome of EVENT_OUTCOMES) this.families.events.of(outcome).reach(reading[outcome]);
    });
  }
  /** Reads how an election stands before each text. Returns what reads it once more, and ends that. */
  followElection(read: () => ElectionReading): () => void {
    return this.#follow(() => {
      const { name, isLeader, slowPaths } = read();
      this.families.leader.of(name).set(isLeader ? 1 : 0);
      this.families.leaderSlowPaths.of(name).reach(slowPaths);
    });
  }

  /** Calls back before each text, for what is cheaper to look up than to follow. Returns what ends it. */
  onCollect(collect: () => void): () => void {
    this.#collectors.add(collect);
    return () => void this.#collectors.delete(collect);
  }

  /** What the last text left out, and why: a name that another metric has already, or what a metric of the author's threw. */
  get problems(): ReadonlyMap<string, unknown> {
    return this.#others.problems;
  }

  /** All metrics in the text format of Prometheus. */
  async text(): Promise<string> {
    for (const collect of this.#collectors) collect();
    const families: readonly Family[] = Object.values(this.families);
    const own = families.map(expositionOf).join('');
    return own + (await this.#others.text(new Set(families.map(({ description }) => description.name))));
  }

  /** Calls back before each text, and once more at the end. */
  #follow(read: () => void): () => void {
    const end = this.onCollect(read);
    return () => {
      end();
      read();
    };
  }
}
