/** Where something listens. */
export interface HostAndPort {
  /** A name, or an IP address, as sockets take it: one of IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Where a URL leads that names its port, or whose scheme has one. */
export function addressOf({ protocol, hostname, port }: URL): HostAndPort {
  const byScheme: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'socks5:': 1080, 'socks5h:': 1080 };
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (byScheme[protocol] ?? 0) : Number(port),
  };
}

/** As URLs and requests have it: an IPv6 address in brackets. */
export function writtenAddress({ host, port }: HostAndPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
