import { isIPv4 } from 'node:net';

/** Returns the 4 or 16 bytes of a valid IP address. Ignores the zone. */
export function ipBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // The URL class converts an address to hexadecimal groups with at most one '::'.
  const plain = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [before, after] = plain.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const gap = Array.from({ length: 8 - (before?.length ?? 0) - (after?.length ?? 0) }, () => '0');
  const groups = after === undefined ? (before ?? []) : [...(before ?? []), ...gap, ...after];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
