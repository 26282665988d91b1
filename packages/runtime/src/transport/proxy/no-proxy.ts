import { BlockList, isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { HostAndPort } from './host-and-port.js';

/**
 * Whether NO_PROXY matches a server, by the rules of Go. An entry can be an IP address, a network (10.0.0.0/8), a name that also matches
 * its subdomains, or a name with a leading dot that matches only subdomains. Each entry except a network can end with a port. `*` matches
 * every server. `localhost` and loopback addresses never use a proxy.
 */
export function isRequestedDirectly({ host, port }: HostAndPort, noProxy: string): boolean {
  const name = host.toLowerCase();
  if (name === 'localhost' || isOnThisMachine(name)) return true;
  return noProxy.split(',').some((entry) => matches(entry.trim().toLowerCase(), { host: name, port }));
}

function matches(entry: string, { host, port }: HostAndPort): boolean {
  if (entry === '*') return true;
  const [, network, bits] = /^([^/]+)\/(\d{1,3})$/.exec(entry) ?? [];
  if (network !== undefined && isIP(network) !== 0) return isInNetwork(host, network, Number(bits));
  const [, bracketed, plain, desiredPort] = /^(?:\[([^\]]*)\]|([^:]*)):([^:]*)$/.exec(entry) ?? [
    undefined,
    undefined,
    entry,
  ];
  if (desiredPort && desiredPort !== String(port)) return false;
  const excluded = bracketed ?? plain ?? '';
  if (isIP(excluded) !== 0) return isInNetwork(host, excluded, isIP(excluded) === 4 ? 32 : 128);
  return excluded !== '' && isIP(host) === 0 && isNamed(host, excluded.replace(/^\*\./, '.'));
}

function isNamed(host: string, excluded: string): boolean {
  const below = excluded.startsWith('.');
  const name = below ? excluded.slice(1) : excluded;
  const ascii = domainToASCII(name) || name;
  return host.endsWith(`.${ascii}`) || (!below && host === ascii);
}

function isOnThisMachine(host: string): boolean {
  return isInNetwork(host, '127.0.0.0', 8) || isInNetwork(host, '::1', 128);
}

/** Whether a host is in a network. An IPv4-mapped IPv6 address is treated as an IPv4 address. */
function isInNetwork(host: string, network: string, bits: number): boolean {
  const family = isIP(host);
  const ofIpv4 = isIP(network) === 4;
  if (family === 0 || bits > (ofIpv4 ? 32 : 128)) return false;
  if (!ofIpv4 && bits < 96 && (family === 4 || host.startsWith('::ffff:'))) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, ofIpv4 ? 'ipv4' : 'ipv6');
  return list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
