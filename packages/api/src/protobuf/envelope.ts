import { MalformedProtobufError } from './protobuf-error.js';
import type { TypeMeta } from './protobuf-decoder.js';
import { LENGTH_DELIMITED, WireCursor } from './wire-cursor.js';

/** The media type of objects and lists. Watches have the parameter `stream=watch`. */
export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';

/** The bytes at the beginning of each object and list. */
export const MAGIC: Buffer = Buffer.from('k8s\0', 'latin1');

/** The type of an object or list, and the position of its message. */
export interface Envelope extends TypeMeta {
  readonly start: number;
  readonly end: number;
}

/** Reads envelopes and watch events. Reads the text of a type only once if consecutive envelopes have the same type. */
export class EnvelopeReader {
  readonly #cursor = new WireCursor();
  #typeBytes: Buffer = Buffer.alloc(0);
  #typeMeta: TypeMeta = { apiVersion: '', kind: '' };
  /** The position of the last value with the number that `#find` was searching. */
  #start = 0;
  #end = 0;

  /** Returns the envelope of an object or list. Throws a MalformedProtobufError if the bytes do not have an envelope. */
  read(bytes: Buffer, start = 0, end = bytes.length): Envelope {
    if (!hasMagic(bytes, start, end)) {
      throw new MalformedProtobufError(`an object does not start with 'k8s' (byte ${start})`);
    }
    const from = start + MAGIC.length;
    const { apiVersion, kind } = this.#find(bytes, 1, from, end) ? this.#type(bytes) : { apiVersion: '', kind: '' };
    if (!this.#find(bytes, 2, from, end)) return { apiVersion, kind, start: end, end };
    return { apiVersion, kind, start: this.#start, end: this.#end };
  }

  /** Returns the type of a watch event, and the envelope of its object. Throws a MalformedProtobufError if the bytes are not an event. */
  event(bytes: Buffer): { readonly type: string; readonly envelope: Envelope } {
    const type = this.#find(bytes, 1, 0, bytes.length) ? bytes.toString('latin1', this.#start, this.#end) : '';
    const hasObject = this.#find(bytes, 2, 0, bytes.length) && this.#find(bytes, 1, this.#start, this.#end);
    if (!hasObject) throw new MalformedProtobufError('a watch event has no object');
    return { type, envelope: this.read(bytes, this.#start, this.#end) };
  }

  /** Returns the type in a TypeMeta message. */
  typeMeta(bytes: Buffer, start: number, end: number): TypeMeta {
    this.#start = start;
    this.#end = end;
    return this.#type(bytes);
  }

  #type(bytes: Buffer): TypeMeta {
    const [start, end] = [this.#start, this.#end];
    const known = this.#typeBytes;
    if (known.length === end - start && bytes.compare(known, 0, known.length, start, end) === 0) return this.#typeMeta;
    const text = (number: number): string =>
      this.#find(bytes, number, start, end) ? bytes.toString('utf8', this.#start, this.#end) : '';
    this.#typeMeta = { apiVersion: text(1), kind: text(2) };
    this.#typeBytes = Buffer.from(bytes.subarray(start, end));
    return this.#typeMeta;
  }

  /** Finds a length-delimited field, and checks the other fields. Returns false if the message does not have the field. */
  #find(bytes: Buffer, number: number, start: number, end: number): boolean {
    const cursor = this.#cursor;
    let isFound = false;
    cursor.bytes = bytes;
    cursor.at = start;
    while (cursor.at < end) {
      const tag = cursor.tag(end);
      if ((tag & 7) !== LENGTH_DELIMITED)
        throw cursor.malformed('an envelope has a field that is not length-delimited');
      const to = cursor.extent(end);
      if (tag >>> 3 === number) {
        this.#start = cursor.at;
        this.#end = to;
        isFound = true;
      }
      cursor.at = to;
    }
    return isFound;
  }
}

/** Whether the bytes start with the envelope of an object or list. */
export function hasMagic(bytes: Buffer, start = 0, end = bytes.length): boolean {
  if (end - start < MAGIC.length) return false;
  for (let at = 0; at < MAGIC.length; at++) if (bytes[start + at] !== MAGIC[at]) return false;
  return true;
}
