import { frameTooLong, MAX_FRAME_BYTES } from '../../transport/answer/frame-limit.js';

const NEWLINE = 10;

/** Splits a stream of bytes into lines. Stores only the start of an incomplete line. */
export class LineFrames {
  readonly #attempted: string;
  readonly #maxBytes: number;
  #partial: Buffer[] = [];
  #partialBytes = 0;

  /**
   * @param attempted a description of the request for messages
   * @param maxBytes the maximum length of a line
   */
  constructor(attempted: string, maxBytes: number = MAX_FRAME_BYTES) {
    this.#attempted = attempted;
    this.#maxBytes = maxBytes;
  }

  /**
   * Returns the lines that these bytes complete, without blank lines. The lines can refer to the memory of the chunk. Throws
   * INVALID_RESPONSE if a line is too long.
   */
  push(chunk: Buffer): readonly Buffer[] {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = this.#join(chunk.subarray(start, end));
      if (line.length > 1 || (line.length === 1 && line[0] !== 13)) lines.push(line);
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
    return lines;
  }

  /** Returns the bytes after the last newline: either a complete last line or the start of an incomplete line. */
  rest(): Buffer {
    return this.#join(Buffer.alloc(0));
  }

  #hold(part: Buffer): void {
    this.#partial.push(part);
    this.#partialBytes += part.length;
    if (this.#partialBytes <= this.#maxBytes) return;
    this.#partial = [];
    throw frameTooLong(this.#attempted, 'an event', this.#maxBytes);
  }

  #join(tail: Buffer): Buffer {
    if (this.#partial.length === 0) return tail;
    const line = Buffer.concat([...this.#partial, tail]);
    this.#partial = [];
    this.#partialBytes = 0;
    return line;
  }
}
