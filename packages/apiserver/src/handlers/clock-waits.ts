/** A request or a watch whose next step waits for a timer of the clock. */
interface ClockWait {
  /** True for a request that the server has not executed yet because of a planned delay. False for all other waits. */
  readonly isDelayedRequest: boolean;
  readonly id: string | undefined;
}

/**
 * The requests and watches of a server whose next step waits for a timer of the clock, for example because of a planned delay. Nothing
 * happens to such a request before the clock advances, another client writes, or the client disconnects.
 */
export class ClockWaits {
  readonly #waiting = new Set<ClockWait>();
  readonly #onChange: () => void;

  /** @param onChange called when a wait begins or ends */
  constructor(onChange: () => void = () => undefined) {
    this.#onChange = onChange;
  }

  /** The number of requests that wait because of a planned delay. */
  get delayedRequests(): number {
    let count = 0;
    for (const { isDelayedRequest } of this.#waiting) if (isDelayedRequest) count += 1;
    return count;
  }

  /** The `Audit-ID` headers of the waiting requests and watches. Omits requests without this header. */
  get ids(): ReadonlySet<string> {
    const ids = new Set<string>();
    for (const { id } of this.#waiting) if (id !== undefined) ids.add(id);
    return ids;
  }

  /**
   * Records that a request or a watch waits. Returns a function that ends the wait.
   * @param id the header `Audit-ID` of the request, by which its client recognizes the request
   */
  begin(id: string | undefined, { isDelayedRequest = false } = {}): () => void {
    const wait = { id, isDelayedRequest };
    this.#waiting.add(wait);
    this.#onChange();
    return () => {
      if (this.#waiting.delete(wait)) this.#onChange();
    };
  }
}
