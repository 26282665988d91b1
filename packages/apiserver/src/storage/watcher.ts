import type { StoreEvent } from './event-log.js';

/** A running watch. `close` stops the watch. The listener is not called after `close` returns. */
export interface StoreWatch {
  close(): void;
}

/**
 * Delivers events to one listener, in order and one at a time. If the listener writes to the store, the listener receives the event of this
 * write only after the current call of the listener returns.
 */
export class Watcher implements StoreWatch {
  readonly #namespace: string | undefined;
  readonly #listener: (event: StoreEvent) => void;
  readonly #onClose: (watcher: Watcher) => void;
  readonly #pending: StoreEvent[] = [];
  #delivering = false;
  #closed = false;

  constructor(options: {
    readonly namespace: string | undefined;
    readonly listener: (event: StoreEvent) => void;
    readonly onClose: (watcher: Watcher) => void;
  }) {
    this.#namespace = options.namespace;
    this.#listener = options.listener;
    this.#onClose = options.onClose;
  }

  offer(event: StoreEvent): void {
    if (this.#closed) return;
    if (this.#namespace !== undefined && event.object.metadata.namespace !== this.#namespace) return;
    this.#pending.push(event);
  }

  /** Delivers the offered events. If a delivery is already in progress, that delivery includes the new events. */
  deliver(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      for (let event = this.#pending.shift(); event !== undefined && !this.#closed; event = this.#pending.shift()) {
        this.#listener(event);
      }
    } finally {
      this.#delivering = false;
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#pending.length = 0;
    this.#onClose(this);
  }
}
