import { frameTooLong, MAX_FRAME_BYTES } from '../../transport/answer/frame-limit.js';

const LENGTH_BYTES = 4;

/** Splits a stream of bytes into frames. A frame begins with its length in 4 bytes. Stores only the start of an incomplete frame. */
export class LengthFrames {
  readonly #attempted: string;
  readonly #maxBytes: number;
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** The minimum number of bytes that are necessary to return a frame. */
  #neededBytes = LENGTH_BYTES;

  /**
   * @param attempted a description of the request for messages
   * @param maxBytes the maximum length of a frame
   */
  constructor(attempted: string, maxBytes: number = MAX_FRAME_BYTES) {
    this.#attempted = attempted;
    this.#maxBytes = maxBytes;
  }

  /**
   * Returns the frames that these bytes complete, without their lengths. The frames can refer to the memory of the chunk. Throws
   * INVALID_RESPONSE if a frame is too long.
   */
  push(chunk: Buffer): readonly Buffer[] {
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes < this.#neededBytes) return [];
    const bytes = this.rest();
    const frames: Buffer[] = [];
    let at = 0;
    while (bytes.length - at >= LENGTH_BYTES) {
      const length = bytes.readUInt32BE(at);
      if (length > this.#maxBytes) throw frameTooLong(this.#attempted, 'an event', this.#maxBytes);
      const end = at + LENGTH_BYTES + length;
      this.#neededBytes = end - at;
      if (end > bytes.length) break;
      frames.push(bytes.subarray(at + LENGTH_BYTES, end));
      this.#neededBytes = LENGTH_BYTES;
      at = end;
    }
    if (at < bytes.length) {
      this.#held = [bytes.subarray(at)];
      this.#heldBytes = bytes.length - at;
    }
    return frames;
  }

  /** Returns the bytes after the last complete frame, and removes them. */
  rest(): Buffer {
    const bytes = this.#held.length === 1 ? (this.#held[0] as Buffer) : Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    return bytes;
  }
}
