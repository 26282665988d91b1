const NEWLINE = 10;

/** Cuts a stream of bytes into lines. Holds only the start of the line that is not complete yet. */
export class LineFrames {
  #partial: Buffer[] = [];

  /** The lines that these bytes complete, without blank ones. They share the memory of the chunk. */
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

  /** What came after the last newline: the whole of a last line without one, or a part of one that was cut off. */
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
