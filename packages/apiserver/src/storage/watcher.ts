import type { StoreEvent } from './event-log.js';

/** Stops a watch; after it returns the listener is not called any more. */
export interface StoreWatch {
  close(): void;
}

/**
 * Hands events to one listener, in order and one at a time. A listener that writes to the store while it is called gets
 * the event of its own write after it has returned, never in between.
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

  /** Delivers what was offered, unless a delivery is under way, which then goes on with it. */
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
