/** The number of slots of a new table, and the maximum number of slots. Powers of two. */
const FIRST_SLOTS = 256;
const MAX_SLOTS = 16_384;
/** The maximum number of bytes of a stored string. Together with `MAX_SLOTS`, this limits the memory of the table to 3 MB. */
const MAX_BYTES = 128;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LAST_ASCII = 0x7f;

/** Contains 1 for each byte at which `read` stops: quotes, backslashes, control characters, and bytes that are not ASCII. */
const ENDS = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === QUOTE || byte === BACKSLASH || byte < SPACE || byte > LAST_ASCII ? 1 : 0,
);

/**
 * Reads strings from JSON, so that equal strings are in memory once. Each string has one slot, and the newest string of a slot replaces the
 * older one. Therefore the memory is limited, and a string costs at most one comparison, even if all strings have the same slot.
 */
export class SharedStrings {
  /** The position at which `read` stopped: that of the closing quote, or of the first byte that `read` does not accept. */
  end = 0;
  /** A hash of the bytes before `end`. */
  hash = 0;
  #slots = emptySlots(FIRST_SLOTS);
  /** The hash of the string in each slot. Avoids reading a string from memory that is certainly another one. */
  #hashes = new Int32Array(FIRST_SLOTS);
  #mask = FIRST_SLOTS - 1;
  #replaced = 0;

  /**
   * Returns the string whose first character is at `start`. Returns undefined if the string does not end, or contains an escape sequence, a
   * control character, or a character that is not in ASCII.
   */
  read(bytes: Buffer, start: number): string | undefined {
    const { length } = bytes;
    let hash = 0;
    let end = start;
    let byte = QUOTE;
    for (; end < length; end++) {
      byte = bytes[end] as number;
      if (ENDS[byte] === 1) break;
      hash = (Math.imul(hash, 31) + byte) | 0;
    }
    hash ^= hash >>> 15;
    this.hash = hash;
    this.end = end;
    if (byte !== QUOTE || end === length) return undefined;
    return end - start > MAX_BYTES ? bytes.toString('latin1', start, end) : this.#shared(bytes, start);
  }

  #shared(bytes: Buffer, start: number): string {
    const { end } = this;
    const length = end - start;
    const slot = (this.hash ^ length) & this.#mask;
    const known = this.#hashes[slot] as number;
    if (known === this.hash) {
      const stored = this.#slots[slot] as string;
      if (stored.length === length && isAt(bytes, start, stored)) return stored;
    }
    const text = bytes.toString('latin1', start, end);
    this.#slots[slot] = text;
    this.#hashes[slot] = this.hash;
    if (known !== 0 && ++this.#replaced > this.#mask && this.#mask < MAX_SLOTS - 1) this.#grow();
    return text;
  }

  /** Doubles the number of slots. The stored strings are forgotten, which is cheaper than moving them. */
  #grow(): void {
    this.#mask = this.#mask * 2 + 1;
    this.#slots = emptySlots(this.#mask + 1);
    this.#hashes = new Int32Array(this.#mask + 1);
    this.#replaced = 0;
  }
}

function emptySlots(count: number): string[] {
  return Array.from({ length: count }, () => '');
}

function isAt(bytes: Buffer, start: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}
