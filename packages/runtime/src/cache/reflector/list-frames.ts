import { parseJson } from '@kubewright/api/json';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const ITEMS_KEY = /"items"\s*:\s*$/;
/** The number of bytes before an array that are searched for the key `items`. Sufficient for the key and surrounding blanks. */
const KEY_TAIL = 40;

/**
 * Splits the JSON of a list into its items and the envelope around the items. Returns each item as soon as it is complete, so that the list
 * is never in memory as a whole.
 */
export class ListFrames {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #inItems = false;
  /** Whether an item has ended since the last comma, and whether there was a comma. */
  #hasItem = false;
  #hasComma = false;
  /** The bytes of the incomplete item, and the bytes of the envelope. */
  #item: Buffer[] = [];
  readonly #around: Buffer[] = [];

  /**
   * Returns the items that these bytes complete. Items can have any JSON type. The items can refer to the memory of the chunk. If an item
   * is missing before or after a comma, returns blank bytes, which are not valid JSON.
   */
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
          this.#hasItem = true;
          start = i + 1;
        } else if (this.#inItems && this.#depth === 1) {
          this.#separate(chunk.subarray(start, i), { items, isNeeded: this.#hasComma });
          this.#inItems = false;
          start = i;
        }
      } else if (byte === COMMA && this.#inItems && this.#depth === 2) {
        this.#separate(chunk.subarray(start, i), { items, isNeeded: true });
        this.#hasComma = true;
        start = i + 1;
      }
    }
    if (start < chunk.length) (this.#inItems ? this.#item : this.#around).push(chunk.subarray(start));
    return items;
  }

  /**
   * Returns the list without its items. Call this method after all bytes were pushed. Throws an InvalidJsonError if the list is not
   * complete.
   */
  envelope(): unknown {
    return parseJson(Buffer.concat(this.#around));
  }

  /** Ends an item that is neither an object nor an array. Such an item ends at a comma or at the end of the list. */
  #separate(tail: Buffer, { items, isNeeded }: { readonly items: Buffer[]; readonly isNeeded: boolean }): void {
    const bytes = this.#completed(tail);
    const isBlank = bytes.every((byte) => BLANKS.has(byte));
    if (!isBlank || (isNeeded && !this.#hasItem)) items.push(bytes);
    this.#hasItem = false;
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
