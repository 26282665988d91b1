/** Where a proxy is, and how to be let in. */
export interface ProxyAddress {
  readonly scheme: 'http' | 'https' | 'socks5';
  /** A name or an IP address, this without brackets. */
  readonly host: string;
  readonly port: number;
  /** @default none */
  readonly credentials?: { readonly username: string; readonly password: string };
}

const SCHEMES: Readonly<Record<string, Pick<ProxyAddress, 'scheme' | 'port'>>> = {
  'http:': { scheme: 'http', port: 80 },
  'https:': { scheme: 'https', port: 443 },
  'socks5:': { scheme: 'socks5', port: 1080 },
  // Another name of the same: the proxy resolves the host in any case.
  'socks5h:': { scheme: 'socks5', port: 1080 },
};

/** What is wrong with the URL of a proxy, as the end of a sentence. It shows nothing of the URL, which may hold a password. */
export const NO_PROXY_URL = "is not the URL of a proxy: write one of http, https or socks5, such as 'http://HOST:PORT'";

/** The proxy of a URL; undefined for what is none. A path is not looked at. */
export function proxyAddressOf(text: string): ProxyAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password } = new URL(text);
  const known = SCHEMES[protocol];
  if (known === undefined || hostname === '') return undefined;
  try {
    const credentials = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
    return {
      scheme: known.scheme,
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? known.port : Number(port),
      ...(username === '' && password === '' ? {} : { credentials }),
    };
  } catch {
    // A per cent sign in user or password that begins no escape.
    return undefined;
  }
}

/** The URL of the proxy, without what lets somebody in. */
export function describeProxy({ scheme, host, port }: ProxyAddress): string {
  return `${scheme}://${hostAndPort({ host, port })}`;
}

/** As an address is written, an IPv6 address in brackets. */
export function hostAndPort({ host, port }: { readonly host: string; readonly port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
