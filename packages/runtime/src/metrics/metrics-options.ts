import { KubewrightError } from '@kubewright/api/errors';
import type { ClientMetricName } from './client-metrics.js';
import type { MetricsRegistry } from './other-registries.js';

/** The options for metrics. */
export interface MetricsOptions {
  /** Additional metrics of requests to the API server. Each metric has many series. @default none */
  readonly client?: readonly ClientMetricName[] | 'all';
  /** Registries of prom-client with metrics of the program. The global registry is always included. @default none */
  readonly registries?: readonly MetricsRegistry[];
  /** Whether to include process metrics (CPU, memory, event loop, garbage collection). @default true */
  readonly process?: boolean;
}
/** The complete, validated options. */
export interface ResolvedMetricsOptions {
  readonly client: ReadonlySet<ClientMetricName>;
  readonly registries: readonly MetricsRegistry[];
  readonly process: boolean;
}

const CLIENT_METRICS: readonly ClientMetricName[] = [
  'duration',
  'dnsResolution',
  'requestSize',
  'responseSize',
  'rateLimiter',
  'retries',
];

/** Returns the validated options. Throws INVALID_METRICS_OPTIONS for unknown metrics and invalid registries. */
export function resolveMetricsOptions(options: MetricsOptions): ResolvedMetricsOptions {
  const { client = [], registries = [], process = true } = options;
  const names = client === 'all' ? CLIENT_METRICS : client;
  const unknown = names.find((name) => !CLIENT_METRICS.includes(name));
  if (unknown !== undefined) {
    throw invalid(`metrics.client contains '${unknown}': use some of ${CLIENT_METRICS.join(', ')}, or 'all'`);
  }
  if (!registries.every(isRegistry)) {
    throw invalid('metrics.registries contains a value that is not a registry: pass registries of prom-client');
  }
  return { client: new Set(names), registries, process };
}

function isRegistry(value: Partial<MetricsRegistry> | undefined): boolean {
  return typeof value?.getMetricsAsArray === 'function' && typeof value.getSingleMetricAsString === 'function';
}
function invalid(why: string): KubewrightError {
  return new KubewrightError('INVALID_METRICS_OPTIONS', `invalid metrics options: ${why}`);
}
