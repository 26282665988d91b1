import type { ClientMetrics } from '../../metrics/client-metrics.js';
import type {
  ObservedAttempt,
  ObservedRequest,
  RequestProgress,
  TransportObserver,
} from '../request/transport-observer.js';

/** Counts and measures the request attempts of a transport. */
export class MeasuredRequests implements TransportObserver {
  readonly #metrics: ClientMetrics;

  constructor(metrics: ClientMetrics) {
    this.#metrics = metrics;
  }

  request(request: ObservedRequest): RequestProgress {
    return new MeasuredProgress(this.#metrics, request);
  }
}

class MeasuredProgress implements RequestProgress {
  readonly #metrics: ClientMetrics;
  readonly #request: ObservedRequest;

  constructor(metrics: ClientMetrics, request: ObservedRequest) {
    this.#metrics = metrics;
    this.#request = request;
  }

  throttled(waitedMs: number): void {
    this.#metrics.held(this.#request.verb, waitedMs);
  }
  answered({ code, body: answered, durationMs }: ObservedAttempt): void {
    const { verb: method, body = null } = this.#request;
    this.#metrics.requested({
      method,
      body,
      durationMs,
      answer: code === undefined ? undefined : { code, body: answered },
    });
  }
  retried({ code }: ObservedAttempt): void {
    this.#metrics.retried(this.#request.verb, code);
  }
}
