import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Clock } from '@kubewright/api/clock';
import type { ClientMetrics } from '../metrics/client-metrics.js';

/** Options of a connection that measure how long its name takes to be resolved; none where that is not asked for. */
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
