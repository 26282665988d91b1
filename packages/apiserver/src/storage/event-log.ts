import { mostLoggedBytes, storedBytes } from './object-memory.js';
import type { ApiObject } from './api-object.js';

/**
 * One write, as delivered to watchers. `old` is the object before the write. The object of a DELETED event has the version of the deletion.
 */
export interface StoreEvent {
  readonly bucket: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ApiObject;
  readonly old?: ApiObject;
  readonly version: number;
  readonly resourceVersion: string;
}

/**
 * The events of the last writes, oldest first. The log contains at most `size` events, whose objects take at most `mostLoggedBytes`. The
 * log drops older events. After that, a watch or list from an older version fails with 410 Expired.
 */
export class EventLog {
  readonly #size: number;
  #entries: Entry[] = [];
  #start = 0;
  #bytes = 0;
  /**
   * The objects of all events. The object of one event is usually the old object of a later event. The log counts the memory of such an
   * object only once.
   */
  readonly #held = new Map<ApiObject, Held>();
  #compacted: number;

  constructor(size: number, version: number) {
    this.#size = size;
    this.#compacted = version;
  }

  /**
   * The newest version whose event was dropped, or the initial version if no event was dropped. The log contains all events after this
   * version.
   */
  get compacted(): number {
    return this.#compacted;
  }

  append(event: StoreEvent): void {
    this.#entries.push({ version: event.version, event });
    this.#hold(event.object);
    if (event.old !== undefined) this.#hold(event.old);
    while (this.#entries.length - this.#start > this.#size || this.#bytes > mostLoggedBytes) this.#dropFirst();
  }

  /** Returns the events after a version, oldest first. The caller must check that `version >= compacted`. */
  after(version: number): readonly StoreEvent[] {
    let low = this.#start;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle] as Entry).version <= version) low = middle + 1;
      else high = middle;
    }
    return this.#entries.slice(low).flatMap(({ event }) => event ?? []);
  }

  /** Drops all events up to and including a version. */
  compact(version: number): void {
    while (this.#start < this.#entries.length && (this.#entries[this.#start] as Entry).version <= version) {
      this.#dropFirst();
    }
    this.#compacted = Math.max(this.#compacted, version);
  }

  #hold(object: ApiObject): void {
    const known = this.#held.get(object);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    const bytes = storedBytes(object);
    this.#held.set(object, { bytes, count: 1 });
    this.#bytes += bytes;
  }

  #release(object: ApiObject): void {
    const held = this.#held.get(object);
    if (held === undefined) return;
    held.count -= 1;
    if (held.count > 0) return;
    this.#held.delete(object);
    this.#bytes -= held.bytes;
  }

  #dropFirst(): void {
    const first = this.#entries[this.#start] as Entry;
    this.#compacted = first.version;
    const { event } = first;
    if (event !== undefined) this.#release(event.object);
    if (event?.old !== undefined) this.#release(event.old);
    // The array keeps dropped entries until the array is cut. Without their events, these entries do not keep objects in memory.
    delete first.event;
    this.#start += 1;
    // The array is cut when half of its entries are dropped, so that each drop takes constant time and memory stays bounded.
    if (this.#start > this.#size) {
      this.#entries = this.#entries.slice(this.#start);
      this.#start = 0;
    }
  }
}

interface Entry {
  readonly version: number;
  event?: StoreEvent;
}

/** The estimated memory of an object, and the number of its references in events of the log. */
interface Held {
  readonly bytes: number;
  count: number;
}
