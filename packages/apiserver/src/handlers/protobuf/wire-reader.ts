/** An error for a malformed message, with Go's error message. */
export class MalformedMessageError extends Error {}

/** One field of a message: its number and its undecoded value. */
export interface WireField {
  readonly number: number;
  /** The integer of a varint, the eight bytes of a double, or the bytes of other types. */
  readonly value: bigint | Uint8Array;
}

const varint = 0;
const fixed64 = 1;
const lengthDelimited = 2;
const fixed32 = 5;

/**
 * Reads the fields of a protobuf message in order. Throws a MalformedMessageError for invalid bytes. `struct` is the name of the message in
 * these errors.
 */
export function* wireFields(bytes: Uint8Array, struct = 'Unknown'): Generator<WireField> {
  for (let at = 0; at < bytes.length; ) {
    const tag = readVarint(bytes, at);
    const number = typeof tag.value === 'number' ? Math.floor(tag.value / 8) : Number(tag.value >> 3n);
    const type = typeof tag.value === 'number' ? tag.value % 8 : Number(tag.value & 7n);
    if (number === 0) throw new MalformedMessageError(`proto: ${struct}: illegal tag 0 (wire type ${type})`);
    if (type === varint) {
      const { value, end } = readVarint(bytes, tag.end);
      yield { number, value: BigInt(value) };
      at = end;
      continue;
    }
    const { start, end } = extent(bytes, tag.end, type);
    if (end > bytes.length) throw new MalformedMessageError('unexpected EOF');
    yield { number, value: bytes.subarray(start, end) };
    at = end;
  }
}

/** Yields the integers of a packed list. */
export function* packedVarints(bytes: Uint8Array): Generator<bigint> {
  for (let at = 0; at < bytes.length; ) {
    const { value, end } = readVarint(bytes, at);
    yield BigInt(value);
    at = end;
  }
}

function extent(bytes: Uint8Array, at: number, type: number): { readonly start: number; readonly end: number } {
  switch (type) {
    case fixed64:
      return { start: at, end: at + 8 };
    case fixed32:
      return { start: at, end: at + 4 };
    case lengthDelimited: {
      const length = readVarint(bytes, at);
      return { start: length.end, end: length.end + Number(length.value) };
    }
    default:
      throw new MalformedMessageError(`proto: illegal wireType ${type}`);
  }
}

/** The maximum length, in bytes, of a varint whose value a number always represents exactly. */
const exactBytes = 7;

/** Reads a varint. Returns a small integer as a number, which is many times faster than a bigint. */
function readVarint(bytes: Uint8Array, start: number): { readonly value: number | bigint; readonly end: number } {
  let value = 0;
  let scale = 1;
  for (let at = start; at < start + exactBytes; at += 1, scale *= 128) {
    const byte = bytes[at];
    if (byte === undefined) throw new MalformedMessageError('unexpected EOF');
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return readLargeVarint(bytes, start);
}

function readLargeVarint(bytes: Uint8Array, start: number): { readonly value: bigint; readonly end: number } {
  let value = 0n;
  for (let at = start, shift = 0n; shift < 70n; at += 1, shift += 7n) {
    const byte = bytes[at];
    if (byte === undefined) throw new MalformedMessageError('unexpected EOF');
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return { value: BigInt.asUintN(64, value), end: at + 1 };
  }
  throw new MalformedMessageError('proto: integer overflow');
}
