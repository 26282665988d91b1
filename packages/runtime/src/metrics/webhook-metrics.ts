import type { Families } from './families.js';
import type { Counter, Gauge, Histogram } from '@kubewright/api/metrics';

/** The HTTP status codes whose series exist from the start, so that queries can calculate a rate before the first request. */
const CODES = ['200', '500'] as const;

/** Records the metrics of one webhook. */
export class WebhookMetrics {
  readonly #families: Families;
  readonly #path: string;
  readonly #active: Gauge;
  /** The numbers of requests, by the HTTP status code of the response. */
  readonly #requests = new Map<number, Counter>();
  #seconds: Histogram | undefined;

  constructor(families: Families, path: string) {
    this.#families = families;
    this.#path = path;
    for (const code of CODES) families.webhookRequests.of(path, code);
    this.#active = families.webhookActive.of(path);
    families.webhookPanics.of();
    families.conversionPanics.of();
  }

  /** Records the start of a request. Returns the function that records its end, with the HTTP status code of the response. */
  began(nowMs: () => number): (code: number) => void {
    const start = nowMs();
    this.#active.inc();
    return (code) => {
      this.#active.dec();
      let requests = this.#requests.get(code);
      if (requests === undefined) {
        requests = this.#families.webhookRequests.of(this.#path, String(code));
        this.#requests.set(code, requests);
      }
      requests.inc();
      this.#seconds ??= this.#families.webhookSeconds.of(this.#path);
      this.#seconds.observe((nowMs() - start) / 1000);
    };
  }
  /** Records an unexpected error of an admission webhook. */
  panicked(): void {
    this.#families.webhookPanics.of().inc();
  }
  /** Records an error of a converter. */
  conversionPanicked(): void {
    this.#families.conversionPanics.of().inc();
  }
}
