import { deepFreeze } from '../objects/deep-freeze.js';
import { parseJson } from '../json/parse-json.js';
import { Encoding, type MessageField, type MessageType } from './message-type.js';
import { MalformedProtobufError, UnsupportedProtobufError } from './protobuf-error.js';
import type { Shape } from './shape.js';
import { MAX_SHARED_BYTES, MIN_SHARED_BYTES, SharedMessages } from './shared-messages.js';
import { TimeTexts } from './time-texts.js';
import { FIXED_64, LENGTH_DELIMITED, VARINT, WireCursor } from './wire-cursor.js';

const MAX_DEPTH = 200;
/** The maximum number of values on the stack that is kept for the next object. */
const MAX_STACK = 4096;
const NO_BYTES: Buffer = Buffer.alloc(0);
const EMPTY_OBJECT: object = Object.freeze({});

export interface ProtobufDecoderOptions {
  /** The values that decoded objects share. The values in an object are then frozen. @default none: the objects share nothing */
  readonly shared?: SharedMessages | undefined;
  /** Whether objects contain `metadata.managedFields`. @default true */
  readonly keepManagedFields?: boolean;
}

/** The type of an object, which the JSON of the object begins with. */
export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Decodes protobuf messages of built-in kinds to the objects that `parseJson` returns for the JSON of the same objects. The objects
 * themselves are neither frozen nor shared.
 *
 * Throws a MalformedProtobufError for bytes that are not a message of the given type. Throws an UnsupportedProtobufError for a field that
 * the type does not have, for repeated or unordered fields, and for very deep messages. API servers of the known version send none of
 * these.
 */
export class ProtobufDecoder {
  /** The number of bytes of `managedFields` in the last object that were skipped. */
  skippedBytes = 0;
  readonly #shared: SharedMessages | undefined;
  readonly #keepsManagedFields: boolean;
  /** The strings that objects share, also if they share no other values. */
  readonly #texts: SharedMessages;
  readonly #times = new TimeTexts();
  readonly #cursor = new WireCursor();
  #stack: unknown[] = [];
  #top = 0;
  #depth = 0;

  constructor({ shared, keepManagedFields = true }: ProtobufDecoderOptions = {}) {
    this.#shared = shared;
    this.#texts = shared ?? new SharedMessages();
    this.#keepsManagedFields = keepManagedFields;
  }

  /** Decodes the message between two positions. The object begins with the apiVersion and the kind, if they are given. */
  object(
    type: MessageType,
    {
      bytes,
      start = 0,
      end = bytes.length,
    }: { readonly bytes: Buffer; readonly start?: number; readonly end?: number },
    typeMeta?: TypeMeta,
  ): Record<string, unknown> {
    this.#cursor.bytes = bytes;
    this.#texts.source.open(bytes);
    this.skippedBytes = 0;
    this.#top = 0;
    this.#depth = 0;
    try {
      let { shapes } = type;
      if (typeMeta !== undefined) {
        this.#stack[this.#top++] = typeMeta.apiVersion;
        this.#stack[this.#top++] = typeMeta.kind;
        shapes = shapes.with('apiVersion').with('kind');
      }
      return this.#structure(type, shapes, { start, end, from: 0 });
    } finally {
      // The bytes refer to a whole chunk of the response.
      this.#cursor.bytes = NO_BYTES;
      this.#texts.source.close();
      if (this.#stack.length > MAX_STACK) this.#stack = [];
    }
  }

  #structure(
    type: MessageType,
    first: Shape,
    { start, end, from }: { readonly start: number; readonly end: number; readonly from: number },
  ): Record<string, unknown> {
    this.#cursor.at = start;
    let shape = this.#fields(type, end, first);
    if (type.required.length > 0) shape = this.#completed(type, shape);
    const object = shape.object(this.#stack, from);
    this.#top = from;
    return object;
  }

  /** Returns the object of a nested message. */
  #message(field: MessageField, start: number, end: number): object {
    const shared = this.#shared;
    const length = end - start;
    const { type, sharing } = field;
    if (shared === undefined || length < MIN_SHARED_BYTES || length > MAX_SHARED_BYTES || !sharing.isWorthwhile) {
      return this.#nested(type, start, end);
    }
    // The metadata of an object is always different, and is incomplete without the skipped fields.
    if (this.#depth === 0 && field.name === 'metadata') return this.#nested(type, start, end);
    const hash = shared.source.hash(start, end);
    const known = shared.values.find(type, hash, start, end);
    sharing.count(known !== undefined);
    if (known !== undefined) return known;
    const value = this.#nested(type, start, end);
    shared.values.store(type, hash, { start, end }, value);
    return value;
  }

  #nested(type: MessageType, start: number, end: number): object {
    if (start === end && type.required.length === 0) return this.#shared === undefined ? {} : EMPTY_OBJECT;
    if (++this.#depth > MAX_DEPTH) throw new UnsupportedProtobufError(`${type.name} is nested too deeply`);
    const object = this.#structure(type, type.shapes, { start, end, from: this.#top });
    this.#depth--;
    return this.#frozen(object);
  }

  #frozen<T extends object>(value: T): T {
    return this.#shared === undefined ? value : Object.freeze(value);
  }

  /** Reads the fields of a message and pushes their values on the stack. Returns the shape of the object with these fields. */
  #fields(type: MessageType, end: number, first: Shape): Shape {
    const cursor = this.#cursor;
    const { byNumber } = type;
    let shape = first;
    let last = 0;
    while (cursor.at < end) {
      const start = cursor.at;
      const tag = cursor.tag(end);
      const number = tag >>> 3;
      const field = number < byNumber.length ? byNumber[number] : undefined;
      if (field === undefined) throw new UnsupportedProtobufError(`${type.name} has no field with number ${number}`);
      if (number <= last) throw new UnsupportedProtobufError(`the fields of ${type.name} are not in order`);
      last = number;
      const { form } = field;
      let value: unknown;
      if (form === 'one') {
        value = this.#single(field, tag & 7, end);
        if (field.omitsEmpty && isEmpty(value)) continue;
      } else if (form === 'embedded') {
        const to = this.#extent(field, tag & 7, end);
        shape = this.#fields(field.type, to, shape);
        continue;
      } else if (!this.#keepsManagedFields && this.#depth === 1 && field.name === 'managedFields') {
        cursor.at = this.#runEnd(start, tag, end);
        this.skippedBytes = cursor.at - start;
        continue;
      } else value = this.#plural(field, start, { tag, end });
      this.#stack[this.#top++] = value;
      shape = shape.with(field);
    }
    return shape;
  }

  /** Adds the fields that the JSON contains although the message does not. */
  #completed(type: MessageType, first: Shape): Shape {
    let shape = first;
    for (const field of first.missing(type.required)) {
      this.#stack[this.#top++] = this.#zero(field);
      shape = shape.with(field);
    }
    return shape;
  }

  #zero(field: MessageField): unknown {
    if (field.always === 'null') return null;
    switch (field.encoding) {
      case Encoding.string:
        return '';
      case Encoding.bool:
        return false;
      case Encoding.message:
        return this.#nested(field.type, 0, 0);
      case Encoding.quantity:
        return '0';
      default:
        return 0;
    }
  }

  /** Returns the end of a length-delimited value. Moves the cursor to the start of the value. */
  #extent(field: MessageField, wireType: number, end: number): number {
    if (wireType !== LENGTH_DELIMITED) throw this.#wrongType(field, wireType);
    return this.#cursor.extent(end);
  }

  #wrongType({ name, number }: MessageField, wireType: number): MalformedProtobufError {
    return this.#cursor.malformed(`field ${number} ('${name}') has the wire type ${wireType}`);
  }

  #single(field: MessageField, wireType: number, end: number): unknown {
    const cursor = this.#cursor;
    const { encoding } = field;
    if (encoding === Encoding.int || encoding === Encoding.bool) {
      if (wireType !== VARINT) throw this.#wrongType(field, wireType);
      const value = cursor.integer(end);
      return encoding === Encoding.int ? value : value !== 0;
    }
    if (encoding === Encoding.double) {
      if (wireType !== FIXED_64) throw this.#wrongType(field, wireType);
      return cursor.double(end);
    }
    const to = this.#extent(field, wireType, end);
    const value = this.#value(field, cursor.at, to);
    cursor.at = to;
    return value;
  }

  /** Returns a length-delimited value. */
  #value(field: MessageField, start: number, end: number): unknown {
    switch (field.encoding) {
      case Encoding.string:
        return this.#texts.text(start, end, field.form === 'one' ? field.sharing : undefined);
      case Encoding.message:
        return this.#message(field, start, end);
      case Encoding.bytes:
        return this.#cursor.bytes.toString('base64', start, end);
      default:
        return this.#own(field, start, end);
    }
  }

  /** Returns a list or a map, whose elements are consecutive fields. */
  #plural(field: MessageField, start: number, { tag, end }: { readonly tag: number; readonly end: number }): unknown {
    if ((tag & 7) !== LENGTH_DELIMITED) return this.#scalars(field, start, { tag, end });
    const shared = this.#shared;
    const to = this.#runEnd(start, tag, end);
    const length = to - start;
    const { sharing } = field;
    if (shared === undefined || length < MIN_SHARED_BYTES || length > MAX_SHARED_BYTES || !sharing.isWorthwhile) {
      return this.#run(field, start, to);
    }
    const hash = shared.source.hash(start, to);
    const known = shared.values.find(field, hash, start, to);
    sharing.count(known !== undefined);
    if (known !== undefined) {
      this.#cursor.at = to;
      return known;
    }
    const value = this.#run(field, start, to);
    shared.values.store(field, hash, { start, end: to }, value);
    return value;
  }

  /** Returns the end of consecutive length-delimited fields with the same number. `start` is the position of the first tag. */
  #runEnd(start: number, tag: number, end: number): number {
    const cursor = this.#cursor;
    cursor.at = start;
    while (cursor.at < end) {
      const at = cursor.at;
      if (cursor.tag(end) !== tag) return at;
      cursor.at = cursor.extent(end);
    }
    return end;
  }

  #run(field: MessageField, start: number, end: number): object {
    if (field.form === 'map') return this.#frozen(this.#map(field, start, end));
    const cursor = this.#cursor;
    const from = this.#top;
    cursor.at = start;
    while (cursor.at < end) {
      cursor.tag(end);
      const to = cursor.extent(end);
      if (field.encoding === Encoding.int || field.encoding === Encoding.bool) this.#packed(field, to);
      else this.#stack[this.#top++] = this.#value(field, cursor.at, to);
      cursor.at = to;
    }
    const list = this.#stack.slice(from, this.#top);
    this.#top = from;
    return this.#frozen(list);
  }

  #map(field: MessageField, start: number, end: number): object {
    const cursor = this.#cursor;
    const from = this.#top;
    const keys: string[] = [];
    cursor.at = start;
    while (cursor.at < end) {
      cursor.tag(end);
      const to = cursor.extent(end);
      keys.push(this.#entry(field, to));
    }
    if (new Set(keys).size < keys.length) throw new UnsupportedProtobufError(`'${field.name}' has a key twice`);
    const map = field.entries.objectWith(keys, this.#stack, from);
    this.#top = from;
    return map;
  }

  /** Reads an entry of a map, and pushes the value on the stack. Returns the key. */
  #entry(field: MessageField, end: number): string {
    const cursor = this.#cursor;
    let key = '';
    let value: unknown;
    let last = 0;
    while (cursor.at < end) {
      const tag = cursor.tag(end);
      const number = tag >>> 3;
      if (number <= last || number > 2) throw new UnsupportedProtobufError(`an entry of '${field.name}' is unusual`);
      last = number;
      const to = this.#extent(field, tag & 7, end);
      if (number === 1) key = this.#texts.text(cursor.at, to);
      else value = this.#value(field, cursor.at, to);
      cursor.at = to;
    }
    this.#stack[this.#top++] = last === 2 ? value : this.#value(field, end, end);
    return key;
  }

  /** Returns a list of integers or booleans, each in a field of its own. */
  #scalars(field: MessageField, start: number, { tag, end }: { readonly tag: number; readonly end: number }): unknown {
    const cursor = this.#cursor;
    const list: unknown[] = [];
    cursor.at = start;
    while (cursor.at < end) {
      const at = cursor.at;
      if (cursor.tag(end) !== tag) {
        cursor.at = at;
        break;
      }
      if (field.form === 'map') throw this.#wrongType(field, tag & 7);
      list.push(this.#single(field, tag & 7, end));
    }
    return this.#frozen(list);
  }

  #packed(field: MessageField, end: number): void {
    while (this.#cursor.at < end) this.#stack[this.#top++] = this.#single(field, VARINT, end);
  }

  /** Returns a value whose JSON is not an object with the fields of the message, such as a time or a quantity. */
  #own(field: MessageField, start: number, end: number): unknown {
    const { encoding } = field;
    if (encoding === Encoding.time || encoding === Encoding.microTime) return this.#time(encoding, start, end);
    if (encoding === Encoding.quantity || encoding === Encoding.json) {
      const to = this.#content(start, end);
      const from = this.#cursor.at;
      if (encoding === Encoding.quantity) return this.#texts.text(from, to) || '0';
      return from === to ? null : this.#json(from, to);
    }
    const parts = this.#message(field, start, end) as Parts;
    switch (encoding) {
      case Encoding.intOrString:
        return parts.type === 1 ? (parts.text ?? '') : (parts.number ?? 0);
      case Encoding.schemaOrBool:
        return parts.schema ?? parts.allows ?? false;
      case Encoding.strings:
        return parts.list ?? this.#frozen([]);
      default:
        return parts.list ?? parts.schema ?? null;
    }
  }

  #time(encoding: Encoding, start: number, end: number): string | null {
    const cursor = this.#cursor;
    let seconds: number | bigint = 0;
    let nanos: number | bigint = 0;
    cursor.at = start;
    while (cursor.at < end) {
      const tag = cursor.tag(end);
      if (tag === 8) seconds = cursor.integer(end);
      else if (tag === 16) nanos = cursor.integer(end);
      else throw new UnsupportedProtobufError('a time has an unknown field');
    }
    if (start === end) return null;
    if (encoding === Encoding.time) return this.#times.read(Number(seconds));
    return this.#times.readMicro(Number(seconds), Number(nanos));
  }

  /** Returns the end of the only field of a message, which is length-delimited. Moves the cursor to the start of the value. */
  #content(start: number, end: number): number {
    const cursor = this.#cursor;
    cursor.at = start;
    if (start === end) return end;
    const tag = cursor.tag(end);
    const to = tag === (8 | LENGTH_DELIMITED) ? cursor.extent(end) : -1;
    if (to !== end) throw new UnsupportedProtobufError('a value has an unknown field');
    return to;
  }

  #json(start: number, end: number): unknown {
    const shared = this.#shared;
    const { bytes } = this.#cursor;
    if (shared === undefined || end - start > MAX_SHARED_BYTES) return this.#parsed(bytes.subarray(start, end));
    const hash = shared.source.hash(start, end);
    const known = shared.values.find(Encoding, hash, start, end);
    if (known !== undefined) return known;
    const value = this.#parsed(bytes.subarray(start, end));
    if (typeof value === 'object' && value !== null) shared.values.store(Encoding, hash, { start, end }, value);
    return value;
  }

  #parsed(json: Buffer): unknown {
    try {
      const value = parseJson(json);
      return this.#shared === undefined ? value : deepFreeze(value);
    } catch (error) {
      throw new MalformedProtobufError('a value is not valid JSON', { cause: error });
    }
  }
}

/** The JSON of the messages that `MessageField` declares for values with several forms. */
interface Parts {
  readonly type?: number;
  readonly number?: number;
  readonly text?: string;
  readonly allows?: boolean;
  readonly schema?: object;
  readonly list?: readonly unknown[];
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === 0 || value === false || value === null;
}
