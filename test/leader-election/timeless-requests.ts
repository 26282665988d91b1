import type { ElectionTransport, RequestOptions } from '@kubewright/runtime';
import type { FakeClock } from '@kubewright/testing';

/** Requests that take no time on a fake clock: the clock does not advance while a request is under way. */
export class TimelessRequests implements ElectionTransport {
  readonly #transport: ElectionTransport;
  readonly #pending = new Set<Promise<unknown>>();
  #sent = 0;

  constructor(transport: ElectionTransport, clock: FakeClock) {
    this.#transport = transport;
    clock.onAdvance(() => this.#answered());
  }

  /** Number of sent requests. */
  get sent(): number {
    return this.#sent;
  }
  async request<T>(options: RequestOptions): Promise<T> {
    this.#sent++;
    const answer = this.#transport.request<T>(options);
    this.#pending.add(answer);
    try {
      return await answer;
    } finally {
      this.#pending.delete(answer);
    }
  }

  /** Waits until no request is under way. Checks repeatedly, because a response may cause another request. */
  async #answered(): Promise<void> {
    while (this.#pending.size > 0) {
      await Promise.allSettled(this.#pending);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
