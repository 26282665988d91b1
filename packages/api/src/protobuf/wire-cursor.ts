import { MalformedProtobufError } from './protobuf-error.js';

export const VARINT = 0;
export const FIXED_64 = 1;
export const LENGTH_DELIMITED = 2;

const NO_BYTES: Buffer = Buffer.alloc(0);
/** The maximum number of bytes of a varint, and of a varint whose value a number always represents exactly. */
const MAX_VARINT_BYTES = 10;
const EXACT_BYTES = 7;

/** Reads the parts of protobuf messages. Every position is checked: no method returns a position after `end`. */
export class WireCursor {
  bytes = NO_BYTES;
  at = 0;

  /** Returns the tag at the position: the field number times 8, plus the wire type. */
  tag(end: number): number {
    const { bytes, at } = this;
    const first = bytes[at] as number;
    if (first < 0x80) {
      this.at = at + 1;
      return first;
    }
    return this.#number(end, 'a tag');
  }

  /** Reads a length, and returns the end of the bytes that follow. The position is then the start of these bytes. */
  extent(end: number): number {
    const { bytes, at } = this;
    let length = at < end ? (bytes[at] as number) : 0x80;
    if (length < 0x80) this.at = at + 1;
    else length = this.#number(end, 'a length');
    const to = this.at + length;
    if (to > end) throw this.malformed('a value is longer than its message');
    return to;
  }

  /** Returns an integer of 64 bits with a sign. An integer that a number cannot represent exactly is a bigint. */
  integer(end: number): number | bigint {
    const { bytes, at } = this;
    const first = at < end ? (bytes[at] as number) : 0x80;
    if (first < 0x80) {
      this.at = at + 1;
      return first;
    }
    let value = 0;
    let scale = 1;
    const last = Math.min(end, at + EXACT_BYTES);
    for (let i = at; i < last; i++, scale *= 128) {
      const byte = bytes[i] as number;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        this.at = i + 1;
        return value;
      }
    }
    return this.#longInteger(end);
  }

  #longInteger(end: number): number | bigint {
    let value = 0n;
    const last = Math.min(end, this.at + MAX_VARINT_BYTES);
    for (let i = this.at, shift = 0n; i < last; i++, shift += 7n) {
      const byte = this.bytes[i] as number;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte >= 0x80) continue;
      this.at = i + 1;
      const signed = BigInt.asIntN(64, value);
      const number = Number(signed);
      return Number.isSafeInteger(number) ? number : signed;
    }
    throw this.malformed('an integer does not end');
  }

  #number(end: number, what: string): number {
    const value = this.integer(end);
    if (typeof value === 'number' && value >= 0) return value;
    throw this.malformed(`${what} is too large`);
  }

  /** Returns a number of 64 bits. */
  double(end: number): number {
    if (this.at + 8 > end) throw this.malformed('a number is longer than its message');
    this.at += 8;
    return this.bytes.readDoubleLE(this.at - 8);
  }

  malformed(defect: string): MalformedProtobufError {
    return new MalformedProtobufError(`${defect} (byte ${this.at})`);
  }
}
