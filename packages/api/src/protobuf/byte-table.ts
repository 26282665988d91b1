/** The number of slots of a new table, and the maximum number of slots. Powers of two. */
const FIRST_SLOTS = 512;
const MAX_SLOTS = 16_384;
/** The number of integers per slot in `#heads`. The last one is not used, so that a slot does not cross a cache line. */
const HEAD = 4;
/** After this number of bytes, the table is cleared, so that positions in the ring are integers of 32 bits. */
const MAX_WRITTEN = 0x7000_0000;

const NO_BYTES: Buffer = Buffer.alloc(0);
const NO_VIEW: DataView = viewOf(NO_BYTES);

/** The bytes to which the positions in a `ByteTable` refer. */
export class ByteSource {
  bytes: Buffer = NO_BYTES;
  view: DataView = NO_VIEW;
  /** Whether the bytes of the last hash are ASCII. */
  isAscii = true;

  open(bytes: Buffer): void {
    this.bytes = bytes;
    this.view = viewOf(bytes);
  }

  /** Releases the bytes, which can refer to a whole chunk of a response. */
  close(): void {
    this.bytes = NO_BYTES;
    this.view = NO_VIEW;
  }

  /** Returns the hash of the bytes between two positions. */
  hash(start: number, end: number): number {
    const { view } = this;
    let hash = end - start;
    let all = 0;
    let at = start;
    for (const last = end - 4; at <= last; at += 4) {
      const word = view.getInt32(at, true);
      all |= word;
      hash = Math.imul(hash ^ word, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    for (; at < end; at++) {
      const byte = view.getUint8(at);
      all |= byte;
      hash = Math.imul(hash ^ byte, 0x85ebca6b);
    }
    this.isAscii = (all & 0x80808080) === 0;
    return hash ^ (hash >>> 13);
  }
}

/**
 * Stores values with the bytes from which they were decoded. Each value has one slot, and the newest value of a slot replaces the older
 * one. The bytes are in a ring, in which new bytes overwrite the oldest bytes. Therefore the memory is limited, and a search costs at most
 * one comparison, even if all values have the same slot.
 */
export class ByteTable<T> {
  readonly #source: ByteSource;
  readonly #slotBytes: number;
  #mask = 0;
  #ring = NO_VIEW;
  /** The number of bytes that were written to the ring. */
  #written = 0;
  /**
   * For each slot, the hash and the length of its bytes, and the number of bytes that were written before them. All three are in one array,
   * so that a search reads fewer cache lines.
   */
  #heads = new Int32Array(0);
  /**
   * For each slot, the key and the value. The key identifies the type of the bytes, because equal bytes of different types have different
   * values.
   */
  #slots: (object | T | undefined)[] = [];
  #replaced = 0;

  /** @param slotBytes the size of the ring divided by the number of slots; a power of two */
  constructor(source: ByteSource, slotBytes: number) {
    this.#source = source;
    this.#slotBytes = slotBytes;
    this.#clear(FIRST_SLOTS);
  }

  /** Returns the value that was stored for the bytes between these positions. `hash` is the hash of the bytes. */
  find(key: object, hash: number, start: number, end: number): T | undefined {
    const heads = this.#heads;
    const slot = hash & this.#mask;
    const head = slot * HEAD;
    const length = end - start;
    if (heads[head] !== hash || heads[head + 1] !== length || this.#slots[slot * 2] !== key) return undefined;
    const stored = heads[head + 2] as number;
    const size = this.#ring.byteLength;
    if (this.#written - stored > size) return undefined;
    return this.#isStored(start, length, stored & (size - 1)) ? (this.#slots[slot * 2 + 1] as T) : undefined;
  }

  #isStored(start: number, length: number, stored: number): boolean {
    const { view } = this.#source;
    const ring = this.#ring;
    let at = 0;
    for (const last = length - 4; at <= last; at += 4) {
      if (view.getInt32(start + at, true) !== ring.getInt32(stored + at, true)) return false;
    }
    for (; at < length; at++) if (view.getUint8(start + at) !== ring.getUint8(stored + at)) return false;
    return true;
  }

  /** Stores a value for the bytes between these positions. The bytes must not be longer than the ring of the smallest table. */
  store(key: object, hash: number, range: { readonly start: number; readonly end: number }, value: T): void {
    const { start, end } = range;
    const length = end - start;
    if (this.#written > MAX_WRITTEN) this.#clear(this.#mask + 1);
    let slot = hash & this.#mask;
    if (this.#slots[slot * 2] !== undefined && ++this.#replaced > this.#mask && this.#mask < MAX_SLOTS - 1) {
      this.#clear((this.#mask + 1) * 2);
      slot = hash & this.#mask;
    }
    const size = this.#ring.byteLength;
    const used = this.#written & (size - 1);
    // The bytes of a value are contiguous.
    if (used + length > size) this.#written += size - used;
    this.#copy(start, length, this.#written & (size - 1));
    this.#heads[slot * HEAD] = hash;
    this.#heads[slot * HEAD + 1] = length;
    this.#heads[slot * HEAD + 2] = this.#written;
    this.#written += length;
    this.#slots[slot * 2] = key;
    this.#slots[slot * 2 + 1] = value;
  }

  #copy(start: number, length: number, to: number): void {
    const { view } = this.#source;
    const ring = this.#ring;
    let at = 0;
    for (const last = length - 4; at <= last; at += 4) ring.setInt32(to + at, view.getInt32(start + at, true), true);
    for (; at < length; at++) ring.setUint8(to + at, view.getUint8(start + at));
  }

  /** Forgets all values, and sets the number of slots. Forgetting is cheaper than moving the values to a larger table. */
  #clear(slots: number): void {
    this.#mask = slots - 1;
    this.#ring = viewOf(Buffer.allocUnsafeSlow(slots * this.#slotBytes));
    this.#written = 0;
    this.#heads = new Int32Array(slots * HEAD);
    this.#slots = Array.from({ length: slots * 2 }, () => undefined);
    this.#replaced = 0;
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
