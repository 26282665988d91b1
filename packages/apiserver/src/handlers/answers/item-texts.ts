import { oldSpaceBytes } from '../../storage/old-space.js';

const MiB = 1024 * 1024;
/** The default maximum memory of the cached texts, in bytes: 32 MiB, or 1/64 of the heap for long-lived objects if that is less. */
const defaultMostBytes = Math.min(32 * MiB, Math.floor(oldSpaceBytes() / 64));
/** The memory of a UTF-16 unit of a string in bytes. Strings that contain only Latin-1 characters take half of this memory. */
const unitBytes = 2;

/**
 * Caches the JSON of list items, because most items do not change between two lists. The cache keeps the texts that lists used last, and
 * does not keep the items in memory.
 */
export class ItemTexts {
  readonly #mostUnits: number;
  /** The texts that were used since `#earlier` was replaced, and their total number of UTF-16 units. */
  #recent = new WeakMap<object, string>();
  #recentUnits = 0;
  #earlier = new WeakMap<object, string>();

  /**
   * @param mostBytes the maximum memory of the texts, in bytes. @default 32 MiB, or 1/64 of the heap for long-lived objects if that is less
   */
  constructor(mostBytes: number = defaultMostBytes) {
    this.#mostUnits = mostBytes / unitBytes / 2;
  }

  /** Returns the text of an item. Calls `write` if the text is not cached. The caller must not change the item later. */
  of<T extends object>(item: T, write: (item: T) => string): string {
    const recent = this.#recent.get(item);
    if (recent !== undefined) return recent;
    const text = this.#earlier.get(item) ?? write(item);
    if (this.#recentUnits + text.length > this.#mostUnits) {
      this.#earlier = this.#recent;
      this.#recent = new WeakMap();
      this.#recentUnits = 0;
    }
    if (text.length <= this.#mostUnits) {
      this.#recent.set(item, text);
      this.#recentUnits += text.length;
    }
    return text;
  }
}
