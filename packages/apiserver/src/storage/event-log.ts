import type { StoredObject } from './stored-object.js';

/** One write, as watchers see it. `old` is the object before the write; a DELETED object has the version of its deletion. */
export interface StoreEvent {
  readonly bucket: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: StoredObject;
  readonly old?: StoredObject;
  readonly version: number;
  readonly resourceVersion: string;
}

/**
 * The last writes in order. Holds at most `size` events; older ones are compacted away, and with them the possibility
 * to watch or list from before them.
 */
export class EventLog {
  readonly #size: number;
  #events: StoreEvent[] = [];
  #start = 0;
  #compacted: number;

  constructor(size: number, version: number) {
    this.#size = size;
    this.#compacted = version;
  }

  /** The newest version whose event is gone: what happened after it is known in full. */
  get compacted(): number {
    return this.#compacted;
  }

  append(event: StoreEvent): void {
    this.#events.push(event);
    if (this.#events.length - this.#start > this.#size) this.#dropFirst();
  }

  /** The events after a version, oldest first. The caller has checked that `version >= compacted`. */
  after(version: number): readonly StoreEvent[] {
    let low = this.#start;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle] as StoreEvent).version <= version) low = middle + 1;
      else high = middle;
    }
    return this.#events.slice(low);
  }

  /** Forgets every event up to and including a version. */
  compact(version: number): void {
    while (this.#start < this.#events.length && (this.#events[this.#start] as StoreEvent).version <= version) {
      this.#dropFirst();
    }
    this.#compacted = Math.max(this.#compacted, version);
  }

  #dropFirst(): void {
    this.#compacted = (this.#events[this.#start] as StoreEvent).version;
    this.#start += 1;
    // The array is cut when half of it is dead, so that dropping costs constant time and memory stays bounded.
    if (this.#start > this.#size) {
      this.#events = this.#events.slice(this.#start);
      this.#start = 0;
    }
  }
}
