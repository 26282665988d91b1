import { KubewrightError, valueText } from '@kubewright/api/errors';
import type { ReconcileKey } from '../watches/reconcile-key.js';

/** The options of `new Channel`. */
export interface ChannelOptions {
  /** The number of queued items at which `send` starts to wait until a reader takes an item. @default 1024 */
  readonly buffer?: number;
}

/**
 * A queue of items between two components of a program. Items are queued until a reader iterates over the channel. With several readers,
 * each item is delivered to only one reader.
 *
 * @example
 * const scans = new Channel<Scan>();
 * http.on('request', async (request) => scans.send(await scanOf(request)));
 * manager.control({ for: Volume, sources: [sourceOf('scans', scans, { map: ({ volume }) => [volume] })] }, reconcile);
 */
export class Channel<I = ReconcileKey> implements AsyncIterable<I> {
  readonly #buffer: number;
  readonly #items: I[] = [];
  readonly #readers: ((result: IteratorResult<I, undefined>) => void)[] = [];
  readonly #senders: (() => void)[] = [];
  #isClosed = false;

  /** Creates an open channel. Throws INVALID_OPTION for a buffer smaller than 1. */
  constructor({ buffer = 1024 }: ChannelOptions = {}) {
    if (!(buffer >= 1)) {
      throw new KubewrightError(
        'INVALID_OPTION',
        `invalid buffer ${valueText(buffer)} of a Channel: it must be at least 1`,
      );
    }
    this.#buffer = buffer;
  }

  /** The number of items that no reader has taken yet. */
  get size(): number {
    return this.#items.length;
  }
  /**
   * Adds an item to the queue, even if the buffer is full. Resolves when the queue is shorter than the buffer, or when the channel is
   * closed in the meantime. Rejects with CHANNEL_CLOSED if the channel is already closed.
   */
  send(item: I): Promise<void> {
    if (this.#isClosed) {
      return Promise.reject(new KubewrightError('CHANNEL_CLOSED', 'cannot send: the channel is closed'));
    }
    const reader = this.#readers.shift();
    if (reader !== undefined) reader({ done: false, value: item });
    else this.#items.push(item);
    if (this.#items.length < this.#buffer) return Promise.resolve();
    return new Promise((resolve) => this.#senders.push(resolve));
  }
  /** Closes the channel. Later calls of `send` reject. Readers still receive the queued items before their iteration ends. */
  close(): void {
    this.#isClosed = true;
    for (const reader of this.#readers.splice(0)) reader({ done: true, value: undefined });
    for (const sender of this.#senders.splice(0)) sender();
  }

  [Symbol.asyncIterator](): AsyncIterator<I, undefined> {
    let waiting: ((result: IteratorResult<I, undefined>) => void) | undefined;
    return {
      next: () => {
        if (this.#items.length > 0) return Promise.resolve({ done: false as const, value: this.#take() });
        if (this.#isClosed) return Promise.resolve({ done: true as const, value: undefined });
        return new Promise((resolve) => {
          waiting = resolve;
          this.#readers.push(resolve);
        });
      },
      // Removes a stopped reader from the waiting readers, so that no item is delivered to it.
      return: () => {
        const at = waiting === undefined ? -1 : this.#readers.indexOf(waiting);
        if (at >= 0) this.#readers.splice(at, 1);
        waiting?.({ done: true, value: undefined });
        return Promise.resolve({ done: true as const, value: undefined });
      },
    };
  }

  #take(): I {
    const item = this.#items.shift() as I;
    if (this.#items.length < this.#buffer) this.#senders.shift()?.();
    return item;
  }
}
