import type { KindRef } from '@kubewright/api';
import type { Clock, Timer } from '@kubewright/api/clock';
import { kindOf } from '@kubewright/api/metadata';
import type { Logger } from '../../log/logger.js';
import type { Discovery } from '../../transport/discovery/discovery.js';
import { BackOff } from '../../waiting/back-off.js';

/** The maximum base delay between two requests in milliseconds. The actual delay is up to twice as long. */
const MAX_DELAY_MS = 10_000;

/** Tracks whether the API server serves an optional kind. Logs each change. */
export class FollowedKind {
  readonly kind: KindRef;
  readonly #using: { readonly discovery: Discovery; readonly clock: Clock; readonly logger: Logger };
  readonly #listeners = new Set<() => void>();
  #isServed: boolean | undefined;
  #refreshing: Promise<boolean> | undefined;
  #backOff: BackOff | undefined;
  #timer: Timer | undefined;

  constructor(kind: KindRef, using: { readonly discovery: Discovery; readonly clock: Clock; readonly logger: Logger }) {
    this.kind = kind;
    this.#using = using;
  }

  /** Whether the API server serves the kind, according to its last response. Undefined before the first response. */
  get isServed(): boolean | undefined {
    return this.#isServed;
  }
  /** Whether the kind has no listeners, so that no requests are scheduled. */
  get isIdle(): boolean {
    return this.#listeners.size === 0;
  }
  add(listener: () => void): void {
    this.#listeners.add(listener);
    this.#schedule();
  }
  delete(listener: () => void): void {
    this.#listeners.delete(listener);
    if (this.isIdle) this.#timer?.cancel();
  }

  /** Returns whether the kind is served according to the last response. If there is no response yet, waits for the first response. */
  async known(): Promise<boolean> {
    return this.#isServed ?? this.refresh();
  }
  /** Checks with a request whether the kind is served. Concurrent calls share one request. Rejects if the API server does not respond. */
  refresh(): Promise<boolean> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }
  /** Checks again whether the kind is served. If the request fails, the last response remains valid. */
  doubt(): void {
    this.refresh().catch((error: unknown) => {
      this.#using.logger.debug('cannot check whether a kind is served', { error, kind: kindOf(this.kind).kind });
      this.#schedule();
    });
  }

  async #refresh(): Promise<boolean> {
    const isServed = await this.#using.discovery.isServed(this.kind);
    const before = this.#isServed;
    this.#isServed = isServed;
    if (isServed || before === true) this.#backOff = undefined;
    if (before !== isServed) this.#changed(before);
    this.#schedule();
    return isServed;
  }
  #changed(before: boolean | undefined): void {
    const { kind, apiVersion } = kindOf(this.kind);
    const { logger } = this.#using;
    if (this.#isServed === false) {
      const message = `${kind} of ${apiVersion} is optional and not served: its declarations are dormant until the API server serves it`;
      logger.info(message, { kind, apiVersion });
    } else if (before === false) {
      logger.info(`${kind} of ${apiVersion} is now served: its declarations are active`, { kind, apiVersion });
    }
    // A listener that is added before the first response gets this response from `follow`.
    if (before !== undefined) for (const listener of this.#listeners) listener();
  }
  /** Schedules the next request if the kind is not served and has listeners. */
  #schedule(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#isServed !== false || this.isIdle) return;
    this.#backOff ??= new BackOff(this.#using.clock, { maxMs: MAX_DELAY_MS });
    this.#timer = this.#using.clock.schedule(this.#backOff.nextMs(), () => this.doubt());
  }
}
