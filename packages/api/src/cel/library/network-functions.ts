import { CelError, NO_OVERLOAD } from '../values/cel-error.js';
import { celTypes, listOf, mapOf } from '../values/cel-type.js';
import type { CelValue } from '../values/cel-value.js';
import { IpAddress, IpNetwork, parseCidr, parseIp } from './ip-address.js';
import { ListValue } from '../values/list-value.js';
import { MapValue } from '../values/map-value.js';
import { func, method, type Overload, takes } from '../check/overload.js';
import { parseUrl, type Url } from './url.js';

const { bool, int, string, ip, cidr, url } = celTypes;

/** Returns the Kubernetes functions for IP addresses, networks and URLs. */
export function networkOverloads(): readonly Overload[] {
  return [...addresses(), ...networks(), ...urls()];
}

function addresses(): readonly Overload[] {
  const predicate = (name: string, id: string, test: (bytes: readonly number[]) => boolean): Overload =>
    method([id, name], takes(ip, bool), ({ bytes }: IpAddress) => test(bytes));
  return [
    func(['string_to_ip', 'ip'], takes(string, ip), parseIp),
    method(['cidr_ip', 'ip'], takes(cidr, ip), ({ address }: IpNetwork) => address),
    method(['ip_family', 'family'], takes(ip, int), ({ family }: IpAddress) => BigInt(family)),
    func(['ip_is_canonical', 'ip.isCanonical'], takes(string, bool), (text: string) => {
      const parsed = parseIp(text);
      return parsed instanceof CelError ? parsed : parsed.text === text;
    }),
    predicate('isUnspecified', 'ip_is_unspecified', (bytes) => bytes.every((byte) => byte === 0)),
    predicate('isLoopback', 'ip_is_loopback', isLoopback),
    predicate('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
    predicate('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
    predicate('isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast),
    func(['is_ip', 'isIP'], takes(string, bool), (text: string) => !(parseIp(text) instanceof CelError)),
  ];
}

function isLoopback(bytes: readonly number[]): boolean {
  return bytes.length === 4 ? bytes[0] === 127 : bytes.every((byte, index) => byte === (index === 15 ? 1 : 0));
}

function isLinkLocalMulticast(bytes: readonly number[]): boolean {
  const [a, b = 0, c] = bytes;
  return bytes.length === 4 ? a === 224 && b === 0 && c === 0 : a === 0xff && (b & 0x0f) === 2;
}

function isLinkLocalUnicast([a, b = 0, ...rest]: readonly number[]): boolean {
  return rest.length === 2 ? a === 169 && b === 254 : a === 0xfe && (b & 0xc0) === 0x80;
}

function isGlobalUnicast(bytes: readonly number[]): boolean {
  const [a = 0] = bytes;
  const multicast = bytes.length === 4 ? (a & 0xf0) === 0xe0 : a === 0xff;
  const broadcast = bytes.length === 4 && bytes.every((byte) => byte === 255);
  const unspecified = bytes.every((byte) => byte === 0);
  return !(broadcast || unspecified || multicast || isLoopback(bytes) || isLinkLocalUnicast(bytes));
}

function networks(): readonly Overload[] {
  return [
    func(['string_to_cidr', 'cidr'], takes(string, cidr), parseCidr),
    method(['cidr_contains_ip_string', 'containsIP'], takes(cidr, string, bool), (network: IpNetwork, text: string) => {
      const address = parseIp(text);
      return address instanceof CelError ? NO_OVERLOAD : network.contains(address);
    }),
    method(['cidr_contains_ip_ip', 'containsIP'], takes(cidr, ip, bool), (network: IpNetwork, address: IpAddress) =>
      network.contains(address),
    ),
    method(
      ['cidr_contains_cidr_string', 'containsCIDR'],
      takes(cidr, string, bool),
      (network: IpNetwork, text: string) => {
        const other = parseCidr(text);
        return other instanceof CelError ? NO_OVERLOAD : containsNetwork(network, other);
      },
    ),
    method(['cidr_contains_cidr', 'containsCIDR'], takes(cidr, cidr, bool), containsNetwork),
    method(['cidr_prefix_length', 'prefixLength'], takes(cidr, int), ({ bits }: IpNetwork) => BigInt(bits)),
    method(['cidr_masked', 'masked'], takes(cidr, cidr), ({ masked }: IpNetwork) => masked),
    func(['is_cidr', 'isCIDR'], takes(string, bool), (text: string) => !(parseCidr(text) instanceof CelError)),
  ];
}

function containsNetwork(network: IpNetwork, other: IpNetwork): boolean {
  return network.bits <= other.bits && network.contains(other.address);
}

function urls(): readonly Overload[] {
  const part = (name: string, id: string, read: (url: Url) => CelValue): Overload =>
    method([id, name], takes(url, string), read);
  return [
    func(['string_to_url', 'url'], takes(string, url), (text: string) => {
      const parsed = parseUrl(text);
      if (!(parsed instanceof CelError)) return parsed;
      return new CelError(`URL parse error during conversion from string: ${parsed.message}`);
    }),
    part('getScheme', 'url_get_scheme', ({ scheme }) => scheme),
    part('getHost', 'url_get_host', ({ host }) => host),
    part('getHostname', 'url_get_hostname', ({ hostname }) => hostname),
    part('getPort', 'url_get_port', ({ port }) => port),
    part('getEscapedPath', 'url_get_escaped_path', ({ escapedPath }) => escapedPath),
    method(['url_get_query', 'getQuery'], takes(url, mapOf(string, listOf(string))), ({ query }: Url) => {
      return new MapValue(Array.from(query, ([key, values]) => [key, new ListValue(values)] as const));
    }),
    func(['is_url_string', 'isURL'], takes(string, bool), (text: string) => !(parseUrl(text) instanceof CelError)),
  ];
}
