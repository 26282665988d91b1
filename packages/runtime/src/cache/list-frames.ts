const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const ITEMS_KEY = /"items"\s*:\s*$/;
/** More than the key of the items and the blanks around it. */
const KEY_TAIL = 40;

/**
 * Cuts a list, as it arrives, into the bytes of each of its items and those of what is around them. The list is never held as a
 * whole: an item is given as soon as it is complete.
 */
export class ListFrames {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #inItems = false;
  /** Parts of the item that is not complete, or of what is around the items. */
  #item: Buffer[] = [];
  readonly #around: Buffer[] = [];

  /** The items that these bytes complete. They share the memory of the chunk. */
  push(chunk: Buffer): readonly Buffer[] {
    const items: Buffer[] = [];
    let start = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] as number;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) this.#inString = false;
      } else if (byte === QUOTE) this.#inString = true;
      else if (byte === 0x7b || byte === 0x5b) {
        if (byte === 0x5b && this.#depth === 1 && !this.#inItems && this.#atItems(chunk.subarray(start, i))) {
          this.#around.push(chunk.subarray(start, i + 1));
          this.#inItems = true;
          start = i + 1;
        }
        this.#depth++;
      } else if (byte === 0x7d || byte === 0x5d) {
        this.#depth--;
        if (this.#inItems && this.#depth === 2) {
          items.push(this.#completed(chunk.subarray(start, i + 1)));
          start = i + 1;
        } else if (this.#inItems && this.#depth === 1) {
          this.#inItems = false;
          this.#item = [];
          start = i;
        }
      } else if (byte === COMMA && this.#inItems && this.#depth === 2) start = i + 1;
    }
    if (start < chunk.length) (this.#inItems ? this.#item : this.#around).push(chunk.subarray(start));
    return items;
  }

  /** The list without its items, when all bytes have come. Throws a SyntaxError when the list is not complete. */
  envelope(): unknown {
    return JSON.parse(Buffer.concat(this.#around).toString('utf8'));
  }

  #atItems(before: Buffer): boolean {
    if (before.length >= KEY_TAIL) return ITEMS_KEY.test(before.toString('latin1', before.length - KEY_TAIL));
    return ITEMS_KEY.test(Buffer.concat([...this.#around.slice(-KEY_TAIL), before]).toString('latin1'));
  }

  #completed(tail: Buffer): Buffer {
    if (this.#item.length === 0) return tail;
    const item = Buffer.concat([...this.#item, tail]);
    this.#item = [];
    return item;
  }
}
