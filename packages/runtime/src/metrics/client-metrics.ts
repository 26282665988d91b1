import type { Families } from './families.js';

/** The request metrics that are only measured if the option `client` enables them. */
export type ClientMetricName =
  | 'duration'
  | 'dnsResolution'
  | 'requestSize'
  | 'responseSize'
  | 'rateLimiter'
  | 'retries';

/** A request and its response. */
export interface MeasuredRequest {
  readonly method: string;
  readonly body: string | null;
  readonly durationMs: number;
  /** The response. Undefined if there was none. The response of a stream has no body. */
  readonly answer: { readonly code: number; readonly body?: Uint8Array | undefined } | undefined;
}

const NO_ANSWER = '<error>';

/** Records the metrics of the requests to one API server. */
export class ClientMetrics {
  readonly #families: Families;
  readonly #host: string;
  readonly #enabled: ReadonlySet<ClientMetricName>;

  constructor(families: Families, options: { readonly host: string; readonly enabled: ReadonlySet<ClientMetricName> }) {
    this.#families = families;
    this.#host = options.host;
    this.#enabled = options.enabled;
  }

  /** Whether the duration of DNS lookups is measured. */
  get measuresDns(): boolean {
    return this.#enabled.has('dnsResolution');
  }

  /** Records a request that has ended. */
  requested({ method, body, durationMs, answer }: MeasuredRequest): void {
    const families = this.#families;
    const host = this.#host;
    const enabled = this.#enabled;
    families.requests.of(codeLabel(answer?.code), method, host).inc();
    if (enabled.size === 0) return;
    if (enabled.has('duration')) families.requestSeconds.of(method, host).observe(durationMs / 1000);
    if (enabled.has('requestSize')) {
      families.requestBytes.of(method, host).observe(body === null ? 0 : Buffer.byteLength(body));
    }
    if (enabled.has('responseSize') && answer?.body !== undefined) {
      families.responseBytes.of(method, host).observe(answer.body.length);
    }
  }
  /** Records that a request will be retried. `code` is the status code that caused the retry. */
  retried(method: string, code: number | undefined): void {
    if (this.#enabled.has('retries')) this.#families.requestRetries.of(codeLabel(code), method, this.#host).inc();
  }
  /** Records for how long the client-side rate limit delayed a request. */
  held(method: string, durationMs: number): void {
    if (this.#enabled.has('rateLimiter')) {
      this.#families.rateLimiterSeconds.of(method, this.#host).observe(durationMs / 1000);
    }
  }
  /** Records the duration of a DNS lookup of the server. */
  resolved(durationMs: number): void {
    if (this.measuresDns) this.#families.dnsSeconds.of(this.#host).observe(durationMs / 1000);
  }
}

function codeLabel(code: number | undefined): string {
  return code === undefined ? NO_ANSWER : String(code);
}
