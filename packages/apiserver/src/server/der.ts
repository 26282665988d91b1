/** The tags of ASN.1 that certificates are made of. */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** A value in the distinguished encoding: its tag, the length of its content, its content. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(content.length)]), content]);
}

/** A list of values. */
export function sequence(...values: readonly Uint8Array[]): Buffer {
  return der(tags.sequence, ...values);
}

/** The name of something that is standardized, such as `2.5.29.17`. */
export function objectIdentifier(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  return der(tags.objectIdentifier, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** A number that is not negative, given by its bytes, the highest first. */
export function unsigned(bytes: Uint8Array): Buffer {
  const from = Math.max(
    0,
    bytes.findIndex((byte) => byte !== 0),
  );
  const shown = bytes.subarray(from);
  // The first bit is the sign.
  return (shown[0] ?? 0) < 0x80 ? der(tags.integer, shown) : der(tags.integer, Buffer.from([0]), shown);
}

/** Bits, of which the last byte may leave some unused. */
export function bitString(bytes: Uint8Array, unused = 0): Buffer {
  return der(tags.bitString, Buffer.from([unused]), bytes);
}

/** A time in seconds; years from 2050 on have four digits. */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
  return date.getUTCFullYear() < 2050
    ? der(tags.utcTime, Buffer.from(digits.slice(2)))
    : der(tags.generalizedTime, Buffer.from(digits));
}

function lengthBytes(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 + bytes.length, ...bytes];
}

/** Seven bits a byte, the first bit of each but the last set. */
function base128(value: number): readonly number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(0x80 + (rest % 128));
  return bytes;
}
