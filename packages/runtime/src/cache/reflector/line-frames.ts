const NEWLINE = 10;

/** Splits a stream of bytes into lines. Stores only the start of an incomplete line. */
export class LineFrames {
  #partial: Buffer[] = [];

  /** Returns the lines that these bytes complete, without blank lines. The lines can refer to the memory of the chunk. */
  push(chunk: Buffer): readonly Buffer[] {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = this.#join(chunk.subarray(start, end));
      if (line.length > 1 || (line.length === 1 && line[0] !== 13)) lines.push(line);
      start = end + 1;
    }
    if (start < chunk.length) this.#partial.push(chunk.subarray(start));
    return lines;
  }

  /** Returns the bytes after the last newline: either a complete last line or the start of an incomplete line. */
  rest(): Buffer {
    return this.#join(Buffer.alloc(0));
  }

  #join(tail: Buffer): Buffer {
    if (this.#partial.length === 0) return tail;
    const line = Buffer.concat([...this.#partial, tail]);
    this.#partial = [];
    return line;
  }
}
