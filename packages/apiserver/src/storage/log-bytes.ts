import type { FileContent } from './log-file.js';

/** The minimum number of bytes that are read at once. */
const windowBytes = 1024 * 1024;

/** The bytes of a log. Keeps only one part of the file in memory, because a log can be larger than the objects of its store. */
export class LogBytes {
  readonly #file: FileContent;
  #window = Buffer.allocUnsafe(windowBytes);
  /** The offset and the number of the bytes in the window. */
  #from = 0;
  #count = 0;

  constructor(file: FileContent) {
    this.#file = file;
  }

  get length(): number {
    return this.#file.length;
  }

  /**
   * Returns the bytes from an offset: at least the given number of bytes, or all bytes to the end of the file. The next call can change the
   * returned bytes.
   */
  at(offset: number, count: number): Buffer {
    if (offset < this.#from || Math.min(offset + count, this.length) > this.#from + this.#count) {
      if (count > this.#window.length) this.#window = Buffer.allocUnsafe(count);
      this.#from = offset;
      this.#count = this.#file.read(this.#window, offset);
    }
    return this.#window.subarray(offset - this.#from, this.#count);
  }

  /**
   * Returns the offset of the first byte after the next line break at or after `offset`, or the length of the log if no line break follows.
   */
  lineAfter(offset: number): number {
    for (let at = offset; at < this.length; ) {
      const bytes = this.at(at, 1);
      if (bytes.length === 0) break;
      const found = bytes.indexOf('\n');
      if (found >= 0) return at + found + 1;
      at += bytes.length;
    }
    return this.length;
  }
}
