import type { Clock } from '@kubewright/api/clock';
import { isAborted, isAlreadyExists, isNotFound } from '@kubewright/api/errors';
import type { Logger } from '../log/logger.js';
import { isPassing } from '../transport/sending/retry.js';
import { withFence } from '../transport/request/write-fence.js';
import { type CountedEvent, reported } from './counted-event.js';
import type { EventSink } from './event-sink.js';

const MOST_WAITING = 1000;
const SENDERS = 4;
const TRIES = 12;
const RETRY_MS = 10_000;

/** The dependencies of an `EventSender`. */
export interface EventSenderOptions {
  readonly sink: EventSink;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns random numbers from 0 (inclusive) to 1 (exclusive), for the first delay. @default the random numbers of the clock */
  readonly random?: () => number;
}

/**
 * Sends events to one sink, with a bounded queue and a limited number of concurrent requests. If there is no response, or the response is a
 * 429 or a server error, tries up to twelve times with delays of ten seconds. The first delay is shorter by a random amount, so that
 * clients do not retry at the same time. Drops events that the server rejects.
 */
export class EventSender {
  readonly #sink: EventSink;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #random: () => number;
  readonly #stop = new AbortController();
  readonly #waiting: CountedEvent[] = [];
  readonly #senders = new Set<Promise<void>>();
  readonly #counts = { sent: 0, dropped: 0, failed: 0 };
  #closing = false;

  constructor({ sink, clock, logger, random = clock.random.number }: EventSenderOptions) {
    this.#sink = sink;
    this.#clock = clock;
    this.#logger = logger;
    this.#random = random;
  }

  /**
   * Queues an event. If the event is already queued, its new count is sent. Drops the event if too many events are waiting, or after
   * `close`.
   */
  send(counted: CountedEvent): void {
    if (counted.queued) {
      counted.again = true;
      return;
    }
    if (this.#closing) return;
    if (this.#waiting.length >= MOST_WAITING) {
      this.#counts.dropped++;
      this.#logger.debug('dropped an event because too many events are waiting', { reason: counted.occurrence.reason });
      return;
    }
    counted.queued = true;
    this.#waiting.push(counted);
    if (this.#senders.size >= SENDERS) return;
    const sender = this.#work();
    this.#senders.add(sender);
    void sender.finally(() => this.#senders.delete(sender));
  }

  stats(): { readonly sent: number; readonly dropped: number; readonly failed: number; readonly waiting: number } {
    return { ...this.#counts, waiting: this.#waiting.length + this.#senders.size };
  }

  /** Accepts no further events. Resolves when all queued events were sent or the signal is aborted. Sends nothing afterwards. */
  async close(signal: AbortSignal): Promise<void> {
    this.#closing = true;
    const abort = (): void => this.#stop.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    await Promise.all(this.#senders);
    signal.removeEventListener('abort', abort);
    this.#stop.abort();
  }

  async #work(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      do {
        next.again = false;
        for (let attempt = 1; !(await this.#attempt(next, attempt)); attempt++);
        // Sends the count of occurrences that were added during the write.
      } while (next.again && next.count > next.sentCount && !this.#stop.signal.aborted);
      next.queued = false;
    }
  }

  /** Sends an event once. Resolves with true if no further attempt is necessary. */
  async #attempt(counted: CountedEvent, attempt: number): Promise<boolean> {
    if (this.#stop.signal.aborted) return true;
    const { count } = counted;
    try {
      await withFence(counted.occurrence.fence, () => this.#write(counted));
      counted.sentCount = count;
      this.#counts.sent++;
      return true;
    } catch (error) {
      if (this.#stop.signal.aborted || isAborted(error)) return true;
      if (isPassing(error) && attempt < TRIES) return this.#pause(attempt);
      const { reason, regarding } = counted.occurrence;
      this.#counts.failed++;
      this.#logger.debug('the server did not accept an event', { reason, object: regarding.name, error });
      return true;
    }
  }
  async #write(counted: CountedEvent): Promise<void> {
    const event = reported(counted);
    const { signal } = this.#stop;
    if (counted.sentCount > 0) {
      try {
        await this.#sink.update(event, signal);
        return;
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    try {
      await this.#sink.create(event, signal);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      // The server has created the event but the response was lost, or another client has created it. Only the count must be updated.
      if (event.count > 1) await this.#sink.update(event, signal);
    }
  }
  async #pause(attempt: number): Promise<boolean> {
    try {
      await this.#clock.sleep(`${attempt === 1 ? RETRY_MS * this.#random() : RETRY_MS}ms`, this.#stop.signal);
      return false;
    } catch {
      // The sender was stopped during the delay.
      return true;
    }
  }
}
