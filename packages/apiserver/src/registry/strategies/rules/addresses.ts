import { BlockList, isIP } from 'node:net';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';

const addressRule = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const rangeRule = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** Returns the errors of an IP address that must have the canonical form. */
export function addressErrors(text: string, path: string): readonly FieldError[] {
  return addressFaults(text).map((why) => fieldErrors.invalid(path, text, why));
}

/** Returns the error texts of an IP address that must have the canonical form. */
export function addressFaults(text: string): readonly string[] {
  const faults = looseAddressFaults(text);
  if (faults.length > 0) return faults;
  const form = canonicalAddress(text);
  return form === text ? [] : [`must be in canonical form ("${form}")`];
}

/** Returns the errors of an IP address in any unambiguous form. */
export function looseAddressErrors(text: string, path: string): readonly FieldError[] {
  return looseAddressFaults(text).map((why) => fieldErrors.invalid(path, text, why));
}

function looseAddressFaults(text: string): readonly string[] {
  const plain = withoutLeadingZeros(text);
  if (versionOf(plain) === 0) return [addressRule];
  const faults: string[] = [];
  if (plain !== text) faults.push('must not have leading 0s');
  if (isMapped(text)) faults.push('must not be an IPv4-mapped IPv6 address');
  return faults;
}

/** Returns the errors of a CIDR range that must have the canonical form. */
export function rangeErrors(text: string, path: string): readonly FieldError[] {
  const errors = looseRangeErrors(text, path);
  const range = rangeOf(text);
  if (errors.length > 0 || range === undefined) return errors;
  const form = `${canonicalAddress(range.address)}/${range.bits}`;
  return form === text ? [] : [fieldErrors.invalid(path, text, `must be in canonical form ("${form}")`)];
}

/** Whether a text is a CIDR range in any form. */
export function isRange(text: string): boolean {
  const [address = '', bits = '', ...others] = text.split('/');
  const family = versionOf(withoutLeadingZeros(address));
  return family !== 0 && /^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128) && others.length === 0;
}

/** Returns the errors of a CIDR range in any unambiguous form. */
export function looseRangeErrors(text: string, path: string): readonly FieldError[] {
  if (!isRange(text)) return [fieldErrors.invalid(path, text, rangeRule)];
  const [address = '', bits = ''] = text.split('/');
  const plain = withoutLeadingZeros(address);
  const errors: FieldError[] = [];
  if (plain !== address || (bits !== '0' && bits.startsWith('0'))) {
    errors.push(fieldErrors.invalid(path, text, 'must not have leading 0s in IP or prefix length'));
  } else if (isMapped(text)) {
    errors.push(fieldErrors.invalid(path, text, 'must not have an IPv4-mapped IPv6 address'));
  }
  const first = firstOf(plain, Number(bits));
  if (errors.length === 0 && first !== canonicalAddress(plain)) {
    const why = 'must not have bits set beyond the prefix length';
    errors.push(fieldErrors.invalid(path, text, why));
  }
  return errors;
}

/** Whether the range `inner` is inside `outer` and smaller than `outer`. */
export function isStrictlyWithin(inner: string, outer: string): boolean {
  const [small, large] = [rangeOf(inner), rangeOf(outer)];
  if (small === undefined || large === undefined || small.family !== large.family) return false;
  const block = new BlockList();
  block.addSubnet(large.address, large.bits, large.family);
  return block.check(small.address, small.family) && large.bits < small.bits;
}

/** Returns the IP family of an address or a range. Returns undefined for other text. */
export function familyOf(text: string): 'ipv4' | 'ipv6' | undefined {
  const family = versionOf(withoutLeadingZeros(text.split('/')[0] ?? ''));
  return family === 0 ? undefined : family === 4 ? 'ipv4' : 'ipv6';
}

interface Range {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

function rangeOf(text: string): Range | undefined {
  const [address = '', bits = ''] = text.split('/');
  const family = familyOf(address);
  if (family === undefined || !/^\d+$/.test(bits)) return undefined;
  return { address: withoutLeadingZeros(address), bits: Number(bits), family };
}

/**
 * Returns the IP version of an address, or 0 if the text is not an address. As in Go's `net.ParseIP`, a text with a zone is not an address.
 */
function versionOf(text: string): number {
  return text.includes('%') ? 0 : isIP(text);
}

function withoutLeadingZeros(text: string): string {
  return text.includes(':') ? text : text.replace(/(^|\.)0+(?=\d)/g, '$1');
}

/** Returns the canonical form of an IP address. */
export function canonicalAddress(text: string): string {
  return text.includes(':') ? new URL(`http://[${text}]`).hostname.slice(1, -1) : withoutLeadingZeros(text);
}

/** Returns the first address of a range. */
function firstOf(address: string, bits: number): string {
  const groups = address.includes(':') ? groupsOf(address) : address.split('.').map(Number);
  const width = address.includes(':') ? 16 : 8;
  const kept = groups.map((group, index) => {
    const left = Math.min(width, Math.max(0, bits - index * width));
    return group & ~((1 << (width - left)) - 1);
  });
  if (!address.includes(':')) return kept.join('.');
  return canonicalAddress(kept.map((group) => group.toString(16)).join(':'));
}

function groupsOf(address: string): readonly number[] {
  const [head = '', tail] = canonicalAddress(address).split('::');
  const read = (part: string): readonly number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [read(head), read(tail ?? '')];
  return tail === undefined
    ? before
    : [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/** Whether the text is an IPv4-mapped IPv6 address. */
function isMapped(text: string): boolean {
  return (
    text.includes(':') &&
    groupsOf(text.split('/')[0] ?? '')
      .slice(0, 6)
      .join() === '0,0,0,0,0,65535'
  );
}
