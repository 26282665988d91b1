import { stringifyJson } from '../json/stringify-json.js';
import { MAGIC } from './envelope.js';
import { Encoding, type MessageField, type MessageType } from './message-type.js';
import type { TypeMeta } from './protobuf-decoder.js';
import { FIXED_64, LENGTH_DELIMITED, VARINT } from './wire-cursor.js';

type Json = Readonly<Record<string, unknown>>;

const FIRST_BYTES = 4096;

/**
 * Encodes the JSON of built-in kinds as protobuf messages, with the same bytes as Kubernetes. Writes from the end to the start, because the
 * length of a message precedes the message. Ignores properties that the message does not have.
 */
export class ProtobufEncoder {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  /** The number of bytes that were written, at the end of the buffer. */
  #size = 0;

  /** Returns the message of an object. */
  message(type: MessageType, object: Json): Buffer {
    this.#size = 0;
    this.#fields(type, object);
    return Buffer.from(this.#bytes.subarray(this.#bytes.length - this.#size));
  }

  /** Returns a message in the envelope of an object or list. */
  enveloped(message: Uint8Array, type: TypeMeta): Buffer {
    const { start, end } = this.envelope(message.length, type);
    return Buffer.concat([start, message, end]);
  }

  /** Returns the bytes before and after a message of the given length in the envelope of an object or list. */
  envelope(length: number, { apiVersion, kind }: TypeMeta): { readonly start: Buffer; readonly end: Buffer } {
    this.#size = 0;
    this.#varint(length);
    this.#varint(2 * 8 + LENGTH_DELIMITED);
    const before = this.#size;
    this.#string(2, kind);
    this.#string(1, apiVersion);
    this.#head(1, before);
    this.#raw(MAGIC);
    const start = Buffer.from(this.#bytes.subarray(this.#bytes.length - this.#size));
    this.#size = 0;
    // The content encoding and the content type are empty.
    this.#head(4, this.#size);
    this.#head(3, this.#size);
    return { start, end: Buffer.from(this.#bytes.subarray(this.#bytes.length - this.#size)) };
  }

  /** Returns a watch event with the length that precedes the event in a stream. `object` is the object in its envelope. */
  event(type: string, object: Uint8Array): Buffer {
    this.#size = 0;
    this.#raw(object);
    this.#head(1, 0);
    this.#head(2, 0);
    this.#string(1, type);
    const length = this.#size;
    this.#reserve(4);
    this.#bytes.writeUInt32BE(length, this.#bytes.length - this.#size);
    return Buffer.from(this.#bytes.subarray(this.#bytes.length - this.#size));
  }

  /** Returns a field that contains a message, such as an item of a list. */
  field(number: number, message: Uint8Array): Buffer {
    this.#size = 0;
    this.#raw(message);
    this.#head(number, 0);
    return Buffer.from(this.#bytes.subarray(this.#bytes.length - this.#size));
  }

  #fields(type: MessageType, object: Json): void {
    for (let at = type.fields.length - 1; at >= 0; at--) {
      const field = type.fields[at] as MessageField;
      if (field.form === 'embedded') {
        const before = this.#size;
        this.#fields(field.type, object);
        this.#head(field.number, before);
      } else this.#field(field, object[field.name] ?? undefined);
    }
  }

  #field(field: MessageField, value: unknown): void {
    if (field.form === 'list') {
      const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
      for (let at = items.length - 1; at >= 0; at--) this.#value(field, items[at], field.number);
    } else if (field.form === 'map') this.#map(field, value as Json | undefined);
    else if (value !== undefined || field.isAlwaysSent) this.#value(field, value, field.number);
  }

  #map(field: MessageField, map: Json = {}): void {
    for (const key of sortedKeys(map).toReversed()) {
      const before = this.#size;
      this.#value(field, map[key] ?? undefined, 2);
      this.#string(1, key);
      this.#head(field.number, before);
    }
  }

  /** Writes a field. `value` is undefined for the zero value. */
  #value(field: MessageField, value: unknown, number: number): void {
    switch (field.encoding) {
      case Encoding.bool:
        this.#integer(number, value === true ? 1 : 0);
        break;
      case Encoding.int:
        this.#integer(number, typeof value === 'bigint' ? value : Number(value ?? 0));
        break;
      case Encoding.double:
        this.#reserve(8);
        this.#bytes.writeDoubleLE(Number(value ?? 0), this.#bytes.length - this.#size);
        this.#varint(number * 8 + FIXED_64);
        break;
      case Encoding.string:
        this.#string(number, textOf(value));
        break;
      default: {
        const before = this.#size;
        this.#content(field, value);
        this.#head(number, before);
      }
    }
  }

  /** Writes the bytes of a length-delimited value. */
  #content(field: MessageField, value: unknown): void {
    switch (field.encoding) {
      case Encoding.message:
        return this.#fields(field.type, isObject(value) ? value : {});
      case Encoding.bytes:
        return this.#raw(Buffer.from(textOf(value), 'base64'));
      case Encoding.quantity:
        return this.#string(1, value === undefined ? '0' : textOf(value));
      case Encoding.json:
        return value === undefined ? undefined : this.#string(1, stringifyJson(value));
      case Encoding.time:
      case Encoding.microTime:
        return value === undefined ? undefined : this.#time(textOf(value));
      default:
        return this.#fields(field.type, partsOf(field.encoding, value));
    }
  }

  #time(text: string): void {
    const [whole = text, fraction = ''] = text.replace(/Z$/, '').split('.');
    this.#integer(2, Number(fraction.padEnd(9, '0')));
    this.#integer(1, Date.parse(`${whole}Z`) / 1000);
  }

  #string(number: number, text: string): void {
    const before = this.#size;
    const length = Buffer.byteLength(text);
    this.#reserve(length);
    this.#bytes.write(text, this.#bytes.length - this.#size, length);
    this.#head(number, before);
  }

  #integer(number: number, value: number | bigint): void {
    this.#varint(value);
    this.#varint(number * 8 + VARINT);
  }

  #raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#bytes.length - this.#size);
  }

  /** Writes the tag and the length of a value. `before` is the number of bytes that were written before the value. */
  #head(number: number, before: number): void {
    this.#varint(this.#size - before);
    this.#varint(number * 8 + LENGTH_DELIMITED);
  }

  #varint(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0 && value < 0x80) {
      this.#reserve(1);
      this.#bytes[this.#bytes.length - this.#size] = value;
      return;
    }
    const bytes: number[] = [];
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    bytes.push(Number(rest));
    this.#raw(Uint8Array.from(bytes));
  }

  /** Makes room for more bytes before the written bytes. */
  #reserve(bytes: number): void {
    this.#size += bytes;
    if (this.#size <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#size * 2));
    this.#bytes.copy(larger, larger.length - this.#bytes.length);
    this.#bytes = larger;
  }
}

/** Returns the keys in the order of their bytes, in which Kubernetes writes them. */
function sortedKeys(map: Json): readonly string[] {
  return Object.keys(map).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** Returns the fields of a value with several forms. */
function partsOf(encoding: Encoding, value: unknown): Json {
  switch (encoding) {
    case Encoding.intOrString:
      return typeof value === 'string'
        ? { type: 1, number: 0, text: value }
        : { type: 0, number: value ?? 0, text: '' };
    case Encoding.schemaOrBool:
      return isObject(value) ? { allows: true, schema: value } : { allows: value === true };
    case Encoding.strings:
      return { list: value };
    default:
      return Array.isArray(value) ? { list: value } : { schema: value };
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : String(value);
}
