import type { ClientMetrics } from '../../metrics/client-metrics.js';
import type { ObservedRequest, RequestProgress, TransportObserver } from '../request/transport-observer.js';

/** Counts and measures the request attempts of a transport. */
export class MeasuredRequests implements TransportObserver {
  readonly #metrics: ClientMetrics;

  constructor(metrics: ClientMetrics) {
    this.#metrics = metrics;
  }

  request({ verb: method, body }: ObservedRequest): RequestProgress {
    const metrics = this.#metrics;
    return {
      throttled: (waitedMs) => metrics.held(method, waitedMs),
      answered: ({ code, body: answered, durationMs }) => {
        const answer = code === undefined ? undefined : { code, ...(answered && { body: answered }) };
        metrics.requested({ method, body: body ?? null, durationMs, answer });
      },
      retried: ({ code }) => metrics.retried(method, code),
    };
  }
}
