/** Encodes a value in the Distinguished Encoding Rules (DER) of ASN.1: tag, length and content. */
export function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

/**
 * Encodes a length. A length of up to 127 is a single byte. For a greater length, the first byte contains the number of the bytes that
 * follow.
 */
function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

/** Encodes a SEQUENCE. */
export function sequence(...items: readonly Uint8Array[]): Buffer {
  return der(0x30, ...items);
}
/** Encodes a SET. */
export function set(...items: readonly Uint8Array[]): Buffer {
  return der(0x31, ...items);
}
/** Encodes an INTEGER that is not negative from its bytes, the highest byte first. */
export function integer(bytes: Uint8Array): Buffer {
  // DER does not allow unnecessary zeros at the start.
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = start < 0 ? Buffer.from([0]) : bytes.subarray(start);
  // An integer whose first bit is set would be negative.
  return (digits[0] ?? 0) < 0x80 ? der(0x02, digits) : der(0x02, Buffer.from([0]), digits);
}
/** Encodes an OCTET STRING. */
export function octetString(content: Uint8Array): Buffer {
  return der(0x04, content);
}
/** Encodes a BIT STRING that consists of whole bytes. */
export function bitString(content: Uint8Array): Buffer {
  return der(0x03, Buffer.from([0]), content);
}
/** Encodes a value with an explicit tag, as for an optional field. */
export function explicit(field: number, value: Uint8Array): Buffer {
  return der(0xa0 | field, value);
}
/** Encodes an OBJECT IDENTIFIER from its text form, such as '2.5.4.3'. */
export function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}
/** Encodes a time in seconds, as X.509 requires: as UTCTime until 2049, and as GeneralizedTime after that. */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`;
  const isLate = date.getUTCFullYear() >= 2050;
  return der(isLate ? 0x18 : 0x17, Buffer.from(isLate ? digits : digits.slice(2), 'latin1'));
}

/** Encodes a number with seven bits per byte. The first bit of each byte except the last is set. */
function base128(value: number): readonly number[] {
  const bytes = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}
