import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Clock } from '@kubewright/api/clock';
import type { ClientMetrics } from '../../metrics/client-metrics.js';

/**
 * Returns connection options that measure the duration of DNS lookups. Returns no options if there are no metrics, or if the metrics do not
 * include DNS.
 */
export function lookupOptions(metrics: ClientMetrics | undefined, clock: Clock): { readonly lookup?: LookupFunction } {
  if (metrics?.measuresDns !== true) return {};
  const measured: LookupFunction = (hostname, options, callback) => {
    const startedMs = clock.monotonicMs();
    lookup(hostname, options, (...answer) => {
      metrics.resolved(clock.monotonicMs() - startedMs);
      callback(...answer);
    });
  };
  return { lookup: measured };
}
