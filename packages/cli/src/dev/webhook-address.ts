import { lookup } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { KubewrightError } from '@kubewright/api/errors';
import { dns1123SubdomainErrors } from '@kubewright/api/names';

/** The address at which the API server of a cluster calls the webhooks of an operator on this machine. */
export interface WebhookAddress {
  /** An IP address without brackets, or a DNS name. */
  readonly host: string;
  /** The port; undefined if any free port can be used. */
  readonly port?: number;
}

/**
 * Parses the value of `--webhook-address`: an IPv4 address, an IPv6 address with or without brackets, or a DNS name, optionally with a
 * port. An IPv6 address with a port needs brackets.
 * @throws KubewrightError INVALID_USAGE if the value is not valid
 */
export function parseWebhookAddress(text: string): WebhookAddress {
  if (isIPv6(text)) return { host: ownZone(text, text) };
  const [, bracketed, plain, port] = /^(?:\[(.*)\]|([^:[\]]*))(?::(\d+))?$/.exec(text) ?? [];
  const host = bracketed === undefined ? plain?.toLowerCase() : ownZone(bracketed, text);
  const isValid = bracketed === undefined ? isIP(host ?? '') === 4 || isName(host ?? '') : isIPv6(bracketed);
  if (host === undefined || !isValid) throw invalid(text);
  if (port === undefined) return { host };
  const number = Number(port);
  if (number < 1 || number > 65_535) throw invalid(text);
  return { host, port: number };
}

/** Formats a host and a port for a URL. */
export function hostAndPort({ host, port }: Required<WebhookAddress>): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/**
 * Returns the address on which to listen so that the API server reaches `host`. If `host` is not an address of this machine, for example
 * because a gateway forwards connections, returns undefined, which represents all addresses of this machine.
 */
export async function listenAddress(host: string): Promise<string | undefined> {
  const own = new Set(Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address)));
  const addresses = isIP(host) === 0 ? await addressesOf(host) : [host];
  const [first] = addresses;
  return first !== undefined && addresses.every((address) => own.has(address)) ? first : undefined;
}

/**
 * Returns the addresses of a DNS name. Returns an empty list if this machine cannot resolve the name, for example because only the cluster
 * can.
 */
async function addressesOf(name: string): Promise<readonly string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}
function isName(host: string): boolean {
  // A name whose last label is a number is a mistyped IPv4 address.
  return dns1123SubdomainErrors(host).length === 0 && !/(?:^|\.)\d+$/.test(host);
}
/** Returns the address. Rejects an address with a zone, because other machines do not know the zone. */
function ownZone(address: string, text: string): string {
  if (address.includes('%')) throw invalid(text);
  return address;
}
function invalid(text: string): KubewrightError {
  return new KubewrightError(
    'INVALID_USAGE',
    `invalid --webhook-address ${text}: use an IP address or a DNS name that the cluster can reach, optionally with a port, such as 192.168.1.5, [fd00::5]:9443 or host.docker.internal`,
  );
}
