import { isIPv6 } from 'node:net';
import { goQuote } from '../../schema/go-text.js';
import { CelError, NO_OVERLOAD } from '../values/cel-error.js';
import { celTypes } from '../values/cel-type.js';
import type { CelValue, OpaqueValue } from '../values/cel-value.js';

/** An IPv4 or IPv6 address. */
export class IpAddress implements OpaqueValue {
  readonly opaqueType = celTypes.ip;
  readonly bytes: readonly number[];

  constructor(bytes: readonly number[]) {
    this.bytes = bytes;
  }

  /** The address family: 4 or 6. */
  get family(): 4 | 6 {
    return this.bytes.length === 4 ? 4 : 6;
  }

  get costSize(): number {
    return this.bytes.length;
  }

  /** The canonical string form. */
  get text(): string {
    return this.family === 4 ? this.bytes.join('.') : ipv6Text(this.bytes);
  }

  equals(other: CelValue): CelValue {
    return other instanceof IpAddress ? other.text === this.text : NO_OVERLOAD;
  }
}

/** A network: an address and its prefix length in bits. */
export class IpNetwork implements OpaqueValue {
  readonly opaqueType = celTypes.cidr;
  readonly address: IpAddress;
  readonly bits: number;

  constructor(address: IpAddress, bits: number) {
    this.address = address;
    this.bits = bits;
  }

  get costSize(): number {
    return Math.ceil(this.bits / 8);
  }

  get text(): string {
    return `${this.address.text}/${this.bits}`;
  }

  /** The network without host bits. */
  get masked(): IpNetwork {
    return new IpNetwork(new IpAddress(maskedBytes(this.address.bytes, this.bits)), this.bits);
  }

  equals(other: CelValue): CelValue {
    return other instanceof IpNetwork ? other.text === this.text : NO_OVERLOAD;
  }

  contains(address: IpAddress): boolean {
    if (address.family !== this.address.family) return false;
    return new IpAddress(maskedBytes(address.bytes, this.bits)).text === this.masked.address.text;
  }
}

function maskedBytes(bytes: readonly number[], bits: number): readonly number[] {
  return bytes.map((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
}

/** Parses an IP address. Returns an error in the wording of the API server if the address is not valid. */
export function parseIp(text: string): IpAddress | CelError {
  const bytes = text.includes(':') ? ipv6Bytes(text) : ipv4Bytes(text);
  if (typeof bytes === 'string') {
    return new CelError(`IP Address ${goQuote(text)} parse error during conversion from string: ${bytes}`);
  }
  if (text.includes('%')) return new CelError(`IP address ${goQuote(text)} with zone value is not allowed`);
  return isMapped(bytes)
    ? new CelError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`)
    : new IpAddress(bytes);
}

const CIDR_ERROR = 'network address parse error during conversion from string: ';

/** Parses a CIDR network. Returns an error in the wording of the API server if the network is not valid. */
export function parseCidr(text: string): IpNetwork | CelError {
  const fail = (why: string): CelError =>
    new CelError(`${CIDR_ERROR}${CIDR_ERROR}netip.ParsePrefix(${goQuote(text)}): ${why}`);
  const slash = text.lastIndexOf('/');
  if (slash < 0) return fail("no '/'");
  const [address, bits] = [text.slice(0, slash), text.slice(slash + 1)];
  const bytes = address.includes(':') ? ipv6Bytes(address) : ipv4Bytes(address);
  if (typeof bytes === 'string') return fail(bytes);
  if (address.includes('%')) return fail('IPv6 zones cannot be present in a prefix');
  if (!/^(0|[1-9]\d*)$/.test(bits)) return fail(`bad bits after slash: ${goQuote(bits)}`);
  if (Number(bits) > bytes.length * 8) return fail('prefix length out of range');
  if (isMapped(bytes)) return new CelError(`${CIDR_ERROR}IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  return new IpNetwork(new IpAddress(bytes), Number(bits));
}

function isMapped(bytes: readonly number[]): boolean {
  return (
    bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255
  );
}

/** Returns the bytes, or the error message of Go. */
function ipv4Bytes(text: string): readonly number[] | string {
  const fail = (why: string): string => `ParseAddr(${goQuote(text)}): ${why}`;
  if (!text.includes('.')) return fail('unable to parse IP');
  const fields = text.split('.');
  let start = 0;
  for (const field of fields) {
    const dot = field === '' ? Math.min(start, text.length - 1) : -1;
    if (dot >= 0) return fail(`IPv4 field must have at least one digit (at ${goQuote(text.slice(dot))})`);
    start += field.length + 1;
    const stranger = /[^0-9]/.exec(field);
    if (stranger !== null) return fail(`unexpected character (at ${goQuote(text.slice(text.indexOf(stranger[0])))})`);
    if (Number(field) > 255) return fail('IPv4 field has value >255');
    if (field.length > 1 && field.startsWith('0')) return fail('IPv4 field has octet with leading zero');
  }
  if (fields.length < 4) return fail('IPv4 address too short');
  return fields.length > 4 ? fail('IPv4 address too long') : fields.map(Number);
}

function ipv6Bytes(text: string): readonly number[] | string {
  const fail = (why: string): string => `ParseAddr(${goQuote(text)}): ${why}`;
  const [address = ''] = text.split('%');
  if (!isIPv6(address)) return fail(ipv6Problem(address));
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const plain = dotted === null ? address : address.replace(dotted[0], dottedGroups(dotted.slice(1).map(Number)));
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

function dottedGroups([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string {
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

/** Returns the error message of Go for an invalid IPv6 address, parsing the address from the left. */
function ipv6Problem(address: string): string {
  const at = (rest: string): string => ` (at ${goQuote(rest)})`;
  let rest = address;
  let groups = 0;
  let elided = rest.startsWith('::');
  if (elided) rest = rest.slice(2);
  for (; groups < 8 && rest !== ''; groups++) {
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    if (digits.length > 4) return `each group must have 4 or less digits${at(rest)}`;
    if (digits === '') return `each colon-separated field must have at least one digit${at(rest)}`;
    const next = rest.charAt(digits.length);
    if (next === '.') {
      if (!elided && groups !== 6)
        return `embedded IPv4 address must replace the final 2 fields of the address${at(rest)}`;
      if (groups > 6) return `too many hex fields to fit an embedded IPv4 at the end of the address${at(rest)}`;
      return 'IPv4 field has value >255';
    }
    rest = rest.slice(digits.length);
    if (rest === '') continue;
    if (next !== ':') return `unexpected character, want colon${at(rest)}`;
    if (rest.length === 1) return `colon must be followed by more characters${at(rest)}`;
    rest = rest.slice(1);
    if (!rest.startsWith(':')) continue;
    if (elided) return `multiple :: in address${at(rest)}`;
    elided = true;
    rest = rest.slice(1);
  }
  if (rest !== '') return `trailing garbage after address${at(rest)}`;
  return groups < 8 ? 'address string too short' : 'the :: must expand to at least one field of zeros';
}

function ipv6Text(bytes: readonly number[]): string {
  const groups = Array.from({ length: 8 }, (_, index) => ((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0));
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === 0) length += 1;
    if (length > best.length) best = { start, length };
  }
  const hex = groups.map((group) => group.toString(16));
  if (best.start < 0) return hex.join(':');
  return `${hex.slice(0, best.start).join(':')}::${hex.slice(best.start + best.length).join(':')}`;
}
