import { type Clock, microTime } from '@kubewright/api/clock';
import { ApiError, isAborted, isNotFound } from '@kubewright/api/errors';
import type { Logger } from '../log/logger.js';
import type { EventMetrics } from '../metrics/event-metrics.js';
import type { EventObject, EventSeries, EventTransport } from './event-object.js';

const MOST_WAITING = 1000;
const SENDERS = 4;
const TRIES = 12;
const RETRY_MS = 10_000;

/** Something that happened, and how often so far. */
export interface CountedEvent {
  readonly event: EventObject;
  count: number;
  lastObserved: Date;
  /** What the server knows: 0 before the first send. */
  sentCount: number;
  /** Whether it waits to be sent or is being sent. */
  queued: boolean;
}

/** Sends events, a few at a time and a limited number waiting; when the server does not take them, they are dropped in the end. */
export class EventSender {
  readonly #transport: () => Promise<EventTransport>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** Where events are counted, if anywhere. */
  readonly metrics: EventMetrics | undefined;
  readonly #stop = new AbortController();
  readonly #waiting: CountedEvent[] = [];
  readonly #senders = new Set<Promise<void>>();

  constructor(options: {
    readonly transport: () => Promise<EventTransport>;
    readonly clock: Clock;
    readonly logger: Logger;
    readonly metrics?: EventMetrics | undefined;
  }) {
    this.#transport = options.transport;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.metrics = options.metrics;
  }

  /** Sends what the server does not know of the event yet, some time. */
  send(counted: CountedEvent): void {
    if (counted.queued || this.#stop.signal.aborted) return;
    if (this.#waiting.length >= MOST_WAITING) {
      this.metrics?.dropped();
      this.#logger.debug('too many events wait to be sent; one was dropped', { reason: counted.event.reason });
      return;
    }
    counted.queued = true;
    this.#waiting.push(counted);
    if (this.#senders.size >= SENDERS) return;
    const sender = this.#work();
    this.#senders.add(sender);
    void sender.finally(() => this.#senders.delete(sender));
  }

  /** Events that are being sent or wait to be. */
  get pending(): number {
    return this.#waiting.length + this.#senders.size;
  }

  /** Resolves when all that waits was sent or the signal is aborted; nothing is sent after. */
  async close(signal: AbortSignal): Promise<void> {
    const abort = (): void => this.#stop.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    await Promise.all(this.#senders);
    signal.removeEventListener('abort', abort);
    this.#stop.abort();
  }

  async #work(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      for (let attempt = 1; !(await this.#attempt(next, attempt)); attempt++);
      next.queued = false;
    }
  }

  /** Whether the event needs no further attempt. */
  async #attempt(counted: CountedEvent, attempt: number): Promise<boolean> {
    try {
      const transport = await this.#transport();
      await (counted.sentCount === 0 ? this.#create(transport, counted) : this.#patch(transport, counted));
      this.metrics?.sent();
      return true;
    } catch (error) {
      if (this.#stop.signal.aborted || isAborted(error)) return true;
      const { reason, regarding } = counted.event;
      if (!isPassing(error) || attempt >= TRIES) {
        this.metrics?.dropped();
        this.#logger.debug('an event was not taken by the server', { reason, object: regarding.name, error });
        return true;
      }
      return this.#pause();
    }
  }
  async #pause(): Promise<boolean> {
    try {
      await this.#clock.sleep(`${RETRY_MS}ms`, this.#stop.signal);
      return false;
    } catch {
      // Stopped while it waited: that is the answer.
      return true;
    }
  }

  async #create(transport: EventTransport, counted: CountedEvent): Promise<void> {
    const { event, count } = counted;
    const series = count > 1 ? { series: seriesOf(counted) } : {};
    await transport.request<unknown>({
      method: 'POST',
      path: `/apis/events.k8s.io/v1/namespaces/${event.metadata.namespace}/events`,
      body: { ...event, ...series },
      signal: this.#stop.signal,
      attempted: `record the event ${event.reason}`,
    });
    counted.sentCount = count;
  }
  async #patch(transport: EventTransport, counted: CountedEvent): Promise<void> {
    const { event, count } = counted;
    const { name, namespace } = event.metadata;
    try {
      await transport.request<unknown>({
        method: 'PATCH',
        path: `/apis/events.k8s.io/v1/namespaces/${namespace}/events/${name}`,
        body: { series: seriesOf(counted) },
        contentType: 'application/merge-patch+json',
        signal: this.#stop.signal,
        attempted: `count the event ${event.reason}`,
      });
      counted.sentCount = count;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await this.#create(transport, counted);
    }
  }
}

function seriesOf({ count, lastObserved }: CountedEvent): EventSeries {
  return { count, lastObservedTime: microTime(lastObserved) };
}
/** Errors that are worth another try: no answer at all, too many requests, trouble of the server. */
function isPassing(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 429 || error.status >= 500;
}
