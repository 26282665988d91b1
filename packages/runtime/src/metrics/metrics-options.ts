import { KubewrightError, valueText } from '@kubewright/api/errors';
import type { ClientMetricName } from './client-metrics.js';
import type { MetricsRegistry } from './other-registries.js';

/** The options of the metrics. */
export interface MetricsOptions {
  /** The additional request metrics to enable. Each of them has many series. @default none */
  readonly client?: readonly ClientMetricName[] | 'all';
  /** The registries of prom-client whose metrics are included. The global registry is always included. @default none */
  readonly registries?: readonly MetricsRegistry[];
  /** Whether to include metrics of the process: CPU, memory, event loop and garbage collection. @default true */
  readonly process?: boolean;
}
/** The options of the metrics after validation, with defaults applied. */
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

/** Validates the options and applies defaults. Throws INVALID_METRICS_OPTIONS for unknown metrics and for invalid registries. */
export function resolveMetricsOptions(options: MetricsOptions): ResolvedMetricsOptions {
  const { client = [], registries = [], process = true } = options;
  const names = client === 'all' ? CLIENT_METRICS : client;
  const unknown = names.find((name) => !CLIENT_METRICS.includes(name));
  if (unknown !== undefined) {
    throw invalid(`metrics.client contains ${valueText(unknown)}: use some of ${CLIENT_METRICS.join(', ')}, or 'all'`);
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
