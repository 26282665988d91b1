import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';

/**
 * Returns an error for an unspecified, loopback, link-local or link-local multicast address, because other nodes cannot reach such an
 * address.
 */
export function endpointAddressErrors(ip: string, path: string): readonly FieldError[] {
  const kinds: readonly (readonly [boolean, string])[] = [
    [/^0\.0\.0\.0$|^::$/.test(ip), `may not be unspecified (${ip})`],
    [inRange(ip, ['127.0.0.0', 8], ['::1', 128]), 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    [
      inRange(ip, ['169.254.0.0', 16], ['fe80::', 10]),
      'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
    ],
    [
      inRange(ip, ['224.0.0.0', 24], ['ff02::', 10]),
      'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
    ],
  ];
  return kinds.filter(([is]) => is).map(([, why]) => fieldErrors.invalid(path, ip, why));
}

type Range = readonly [string, number];

function inRange(ip: string, four: Range, six: Range): boolean {
  const list = new BlockList();
  list.addSubnet(four[0], four[1], 'ipv4');
  list.addSubnet(six[0], six[1], 'ipv6');
  return (isIPv4(ip) && list.check(ip, 'ipv4')) || (isIPv6(ip) && list.check(ip, 'ipv6'));
}
