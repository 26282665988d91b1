import type { JsonObject } from '@kubewright/api/json';
import {
  hasMagic,
  MAGIC,
  MalformedProtobufError,
  type MessageType,
  type TypeMeta,
  UnsupportedProtobufError,
} from '@kubewright/api/protobuf';
import { frameTooLong, MAX_FRAME_BYTES } from './frame-limit.js';

const LENGTH_DELIMITED = 2;
/** The fields of the envelope, and of a list. */
const TYPE_META = 1;
const RAW = 2;
const METADATA = 1;
const ITEMS = 2;

/**
 * The message type of the items of a list, and the apiVersion and kind to add to each item. Nothing is added if `typeMeta` is undefined.
 */
export interface ListedType {
  readonly type: MessageType;
  readonly typeMeta: TypeMeta | undefined;
}

/** Decodes the parts of a list. */
export interface ListReader {
  /** The number of bytes of the last item, without the bytes of skipped fields. */
  readonly parsedBytes: number;
  /** Returns the apiVersion and the kind of a list. */
  typeMeta(bytes: Buffer, start: number, end: number): TypeMeta;
  /**
   * Returns the type of the items. Returns undefined if the items cannot be decoded, because the list contains neither objects of the kind
   * nor their metadata.
   */
  listed(typeMeta: TypeMeta): ListedType | undefined;
  listMeta(bytes: Buffer, start: number, end: number): JsonObject;
  item(listed: ListedType, bytes: Buffer, range: { readonly start: number; readonly end: number }): JsonObject;
}

/** An object of a list, and the number of its bytes without skipped bytes. */
export interface ProtobufItem {
  readonly value: JsonObject;
  readonly parsedBytes: number;
}

/**
 * Splits the bytes of a list into its items and the envelope around the items. Returns each item as soon as it is complete, so that the
 * list is never in memory as a whole.
 */
export class ProtobufListFrames {
  readonly #reader: ListReader;
  readonly #attempted: string;
  readonly #maxBytes: number;
  /** The bytes that were not read yet, and the minimum number of bytes that are necessary to read further. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  #neededBytes = MAGIC.length;
  #isStarted = false;
  /** The remaining bytes of the list. Undefined before the list. */
  #listBytes: number | undefined;
  #typeMeta: TypeMeta = { apiVersion: '', kind: '' };
  #listed: ListedType | undefined;
  #metadata: JsonObject = {};

  /**
   * @param attempted a description of the request for messages
   * @param maxBytes the maximum number of bytes of an item
   */
  constructor(reader: ListReader, attempted: string, maxBytes: number = MAX_FRAME_BYTES) {
    this.#reader = reader;
    this.#attempted = attempted;
    this.#maxBytes = maxBytes;
  }

  /**
   * Returns the items that these bytes complete. Throws INVALID_RESPONSE if an item is too long, a MalformedProtobufError if the bytes are
   * invalid, and an UnsupportedProtobufError for an unknown field.
   */
  push(chunk: Buffer): readonly ProtobufItem[] {
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes < this.#neededBytes) return [];
    const bytes = this.#held.length === 1 ? chunk : Buffer.concat(this.#held);
    const items: ProtobufItem[] = [];
    let at = 0;
    if (!this.#isStarted) {
      if (!hasMagic(bytes)) throw new MalformedProtobufError("the bytes do not start with 'k8s'");
      this.#isStarted = true;
      at = MAGIC.length;
    }
    at = this.#read(bytes, at, items);
    this.#heldBytes = bytes.length - at;
    this.#held = this.#heldBytes === 0 ? [] : [bytes.subarray(at)];
    return items;
  }

  /** Returns an empty list, because `push` returns all items. Throws a MalformedProtobufError if the list is not complete. */
  end(): readonly ProtobufItem[] {
    if (this.#listBytes === 0 && this.#heldBytes === 0) return [];
    throw new MalformedProtobufError('the list is not complete');
  }

  /** Returns the list without its items. */
  envelope(): JsonObject {
    return { ...this.#typeMeta, metadata: this.#metadata, items: [] };
  }

  /** Reads all complete fields. Returns the position of the first incomplete field. */
  #read(bytes: Buffer, from: number, items: ProtobufItem[]): number {
    let at = from;
    for (;;) {
      const inList = this.#listBytes !== undefined && this.#listBytes > 0;
      const head = headOf(bytes, at);
      if (head === undefined) {
        this.#neededBytes = bytes.length - at + 1;
        return at;
      }
      const { number, start, length } = head;
      if (!inList && number === RAW && this.#listBytes === undefined) {
        this.#listBytes = length;
        this.#listed = this.#reader.listed(this.#typeMeta);
        at = start;
        continue;
      }
      const end = start + length;
      if (inList && end - at > (this.#listBytes as number)) {
        throw new MalformedProtobufError('an item is longer than the list');
      }
      if (length > this.#maxBytes) throw frameTooLong(this.#attempted, 'an item of the list', this.#maxBytes);
      if (end > bytes.length) {
        this.#neededBytes = end - at;
        return at;
      }
      if (inList) this.#field(bytes, head, items);
      else if (number === TYPE_META) this.#typeMeta = this.#reader.typeMeta(bytes, start, end);
      else if (length > 0) throw new UnsupportedProtobufError(`the envelope has the field ${number}`);
      if (inList) this.#listBytes = (this.#listBytes as number) - (end - at);
      at = end;
    }
  }

  #field(bytes: Buffer, { number, start, length }: Head, items: ProtobufItem[]): void {
    const end = start + length;
    if (number === METADATA) this.#metadata = this.#reader.listMeta(bytes, start, end);
    else if (number !== ITEMS) throw new UnsupportedProtobufError(`a list has no field with number ${number}`);
    else if (this.#listed !== undefined) {
      const value = this.#reader.item(this.#listed, bytes, { start, end });
      items.push({ value, parsedBytes: this.#reader.parsedBytes });
    }
  }
}

/** The start of a field: its number, and the position and the length of its value. */
interface Head {
  readonly number: number;
  readonly start: number;
  readonly length: number;
}

/** Returns the start of the field at this position. Returns undefined if the start is not complete. */
function headOf(bytes: Buffer, at: number): Head | undefined {
  const tag = varintAt(bytes, at);
  if (tag === undefined) return undefined;
  if ((tag.value & 7) !== LENGTH_DELIMITED)
    throw new MalformedProtobufError('a list has a field that is not length-delimited');
  const length = varintAt(bytes, tag.end);
  return length && { number: tag.value >>> 3, start: length.end, length: length.value };
}

/** The maximum number of bytes of an encoded number. JavaScript represents all numbers of this size exactly. */
const MAX_BYTES = 7;

function varintAt(bytes: Buffer, start: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let at = start, scale = 1; at < bytes.length; at++, scale *= 128) {
    if (at - start === MAX_BYTES) throw new MalformedProtobufError('a length is too large');
    const byte = bytes[at] as number;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return undefined;
}
