import { BlockList, isIPv4 } from 'node:net';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';

type Subnet = readonly [address: string, bits: number];

const unspecified = blockList(['0.0.0.0', 32], ['::', 128]);
const loopback = blockList(['127.0.0.0', 8], ['::1', 128]);
const linkLocal = blockList(['169.254.0.0', 16], ['fe80::', 10]);
/** As in Go, the flags of a multicast address, which are the third hexadecimal digit, are ignored. */
const linkLocalMulticast = blockList(
  ['224.0.0.0', 24],
  ...Array.from({ length: 16 }, (_, flags): Subnet => [`ff${flags.toString(16)}2::`, 16]),
);

/**
 * Returns an error for an unspecified, loopback, link-local or link-local multicast address, because other nodes cannot reach such an
 * address. The address must be valid. IPv4-mapped IPv6 addresses have the errors of their IPv4 address.
 */
export function endpointAddressErrors(address: string, path: string): readonly FieldError[] {
  const why = specialAddressFault(address);
  return why === undefined ? [] : [fieldErrors.invalid(path, address, why)];
}

function specialAddressFault(address: string): string | undefined {
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  if (unspecified.check(address, family)) return `may not be unspecified (${address})`;
  if (loopback.check(address, family)) return 'may not be in the loopback range (127.0.0.0/8, ::1/128)';
  if (linkLocal.check(address, family)) return 'may not be in the link-local range (169.254.0.0/16, fe80::/10)';
  if (linkLocalMulticast.check(address, family)) {
    return 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)';
  }
  return undefined;
}

function blockList(...subnets: readonly Subnet[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of subnets) list.addSubnet(address, bits, isIPv4(address) ? 'ipv4' : 'ipv6');
  return list;
}
