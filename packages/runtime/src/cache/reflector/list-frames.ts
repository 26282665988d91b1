import { parseJson } from '@kubewright/api/json';
import type { ItemReader } from '../parsing/object-parser.js';
import { frameTooLong, MAX_FRAME_BYTES } from '../../transport/answer/frame-limit.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACE = 0x7b;
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const ITEMS_KEY = /"items"\s*:\s*$/;
/** The number of bytes before an array that are searched for the key `items`. Sufficient for the key and surrounding blanks. */
const KEY_TAIL = 40;
/** The number of first bytes of an item that distinguish the start of an item from other bytes. */
const START_BYTES = 14;
/** If at most this number of bytes of an item have arrived, the item is read when more bytes have arrived. */
const MAX_WAITING = 64 * 1024;

/** An item that an `ItemReader` has read. */
export interface ReadItem {
  readonly value: object;
  readonly parsedBytes: number;
}

/** An item of a list: its value, or its bytes if the reader has not read the item. */
export type ListItem = ReadItem | Buffer;

export interface ListFramesOptions {
  /** A description of the request for messages. */
  readonly attempted: string;
  /** Reads the items that arrive as a whole, so that their bytes are read only once. @default none */
  readonly reader?: ItemReader | undefined;
  /** The maximum number of bytes of an item, and of the envelope. @default 64 MiB */
  readonly maxBytes?: number;
}

/**
 * Splits the JSON of a list into its items and the envelope around the items. Returns each item as soon as it is complete, so that the list
 * is never in memory as a whole.
 */
export class ListFrames {
  readonly #attempted: string;
  readonly #reader: ItemReader | undefined;
  readonly #maxBytes: number;
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
  #itemBytes = 0;
  #aroundBytes = 0;
  /** The bytes that probably separate two items. Undefined before the first item. */
  #separator: Buffer | undefined;
  /** The first bytes of an item that is read when more bytes have arrived. */
  #waiting: Buffer | undefined;

  constructor({ attempted, reader, maxBytes = MAX_FRAME_BYTES }: ListFramesOptions) {
    this.#attempted = attempted;
    this.#reader = reader;
    this.#maxBytes = maxBytes;
  }

  /**
   * Returns the items that these bytes complete. Items can have any JSON type. Items that are bytes can refer to the memory of the chunk.
   * If an item is missing before or after a comma, returns blank bytes, which are not valid JSON. Throws INVALID_RESPONSE if an item or
   * the envelope is too long.
   */
  push(chunk: Buffer): readonly ListItem[] {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return this.#split(waiting === undefined ? chunk : Buffer.concat([waiting, chunk]), this.#reader);
  }

  /** Returns the last items. Call this method after all bytes were pushed. */
  end(): readonly ListItem[] {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting === undefined ? [] : this.#split(waiting, undefined);
  }

  /** Returns the list without its items. Call this method after `end`. Throws an InvalidJsonError if the list is not complete. */
  envelope(): unknown {
    return parseJson(Buffer.concat(this.#around));
  }

  #split(chunk: Buffer, reader: ItemReader | undefined): readonly ListItem[] {
    const items: ListItem[] = [];
    let lastSeparator: number | undefined;
    let start = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] as number;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) this.#inString = false;
      } else if (byte === QUOTE) this.#inString = true;
      else if (byte === OPENING_BRACE || byte === 0x5b) {
        if (reader !== undefined && i === start && byte === OPENING_BRACE && this.#isAtItem) {
          lastSeparator ??= this.#lastSeparator(chunk, i);
          const value = i <= lastSeparator ? reader.readItem(chunk, i) : undefined;
          if (value !== undefined) {
            items.push({ value, parsedBytes: reader.parsedBytes });
            this.#hasItem = true;
            start = reader.itemEnd;
            i = start - 1;
            continue;
          }
          // Waits only after a separator, so that each chunk completes an item.
          if (i > lastSeparator && lastSeparator >= 0 && chunk.length - i <= MAX_WAITING) {
            this.#waiting = chunk.subarray(i);
            return items;
          }
        }
        if (byte === 0x5b && this.#depth === 1 && !this.#inItems && this.#atItems(chunk.subarray(start, i))) {
          this.#keepAround(chunk.subarray(start, i + 1));
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
    if (start < chunk.length) (this.#inItems ? this.#keepItem : this.#keepAround)(chunk.subarray(start));
    return items;
  }

  /** Whether the next byte can be the first byte of an item. */
  get #isAtItem(): boolean {
    return this.#inItems && this.#depth === 2 && this.#item.length === 0;
  }

  /**
   * Returns the position of the last separator. Items that start before this position are probably complete. Returns -1 if the chunk has no
   * separator.
   */
  #lastSeparator(chunk: Buffer, item: number): number {
    if (this.#separator === undefined) {
      if (item + START_BYTES > chunk.length) return -1;
      this.#separator = Buffer.concat([Buffer.from('},'), chunk.subarray(item, item + START_BYTES)]);
    }
    return chunk.lastIndexOf(this.#separator);
  }

  readonly #keepAround = (bytes: Buffer): void => {
    this.#around.push(bytes);
    this.#aroundBytes += bytes.length;
    if (this.#aroundBytes > this.#maxBytes)
      throw frameTooLong(this.#attempted, 'the list without its items', this.#maxBytes);
  };

  readonly #keepItem = (bytes: Buffer): void => {
    this.#item.push(bytes);
    this.#itemBytes += bytes.length;
    if (this.#itemBytes > this.#maxBytes) throw frameTooLong(this.#attempted, 'an item of the list', this.#maxBytes);
  };

  /** Ends an item that is neither an object nor an array. Such an item ends at a comma or at the end of the list. */
  #separate(tail: Buffer, { items, isNeeded }: { readonly items: ListItem[]; readonly isNeeded: boolean }): void {
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
    this.#itemBytes = 0;
    return item;
  }
}
