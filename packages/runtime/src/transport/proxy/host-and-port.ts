/** The address of a listener. */
export interface HostAndPort {
  /** A host name or an IP address in the form that sockets accept: an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Returns the address of a URL. If the URL has no port, uses the default port of its scheme. */
export function addressOf({ protocol, hostname, port }: URL): HostAndPort {
  const byScheme: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'socks5:': 1080, 'socks5h:': 1080 };
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (byScheme[protocol] ?? 0) : Number(port),
  };
}

/** Returns the address in the form of URLs and requests: an IPv6 address in brackets. */
export function writtenAddress({ host, port }: HostAndPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
