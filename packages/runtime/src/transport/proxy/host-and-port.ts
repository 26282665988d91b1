/** The address to which a client connects. */
export interface HostAndPort {
  /** The host name or IP address, without brackets for IPv6. */
  readonly host: string;
  readonly port: number;
}

/** Returns the host and the port of a URL. If the URL has no port, uses the default port of the scheme. */
export function addressOf({ protocol, hostname, port }: URL): HostAndPort {
  const byScheme: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'socks5:': 1080, 'socks5h:': 1080 };
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (byScheme[protocol] ?? 0) : Number(port),
  };
}

/** Returns an address in the form that URLs use, with brackets for IPv6. */
export function writtenAddress({ host, port }: HostAndPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
