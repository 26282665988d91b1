import { addressOf, type HostAndPort, writtenAddress } from './host-and-port.js';

/** The address of a proxy, and the credentials for the proxy. */
export interface ProxyAddress extends HostAndPort {
  readonly scheme: 'http' | 'https' | 'socks5';
  /** The user and password for the proxy. @default none */
  readonly credentials?: { readonly username: string; readonly password: string };
}

const SCHEMES: Readonly<Record<string, ProxyAddress['scheme']>> = {
  'http:': 'http',
  'https:': 'https',
  'socks5:': 'socks5',
  // Treated as socks5: in both cases, the proxy resolves the host name.
  'socks5h:': 'socks5',
};

/** The problem of an invalid proxy URL, as the end of a sentence. Does not contain the URL, which may contain a password. */
export const NO_PROXY_URL = "is not a proxy URL: use an http, https or socks5 URL, such as 'http://HOST:PORT'";

/** Returns the address of a proxy URL. Returns undefined if the URL is not a valid proxy URL. Ignores the path. */
export function proxyAddressOf(text: string): ProxyAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const { username, password } = url;
  const scheme = SCHEMES[url.protocol];
  if (scheme === undefined || url.hostname === '') return undefined;
  try {
    const credentials = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
    return { scheme, ...addressOf(url), ...(username === '' && password === '' ? {} : { credentials }) };
  } catch {
    // The user or password contains a percent sign that is not a valid escape sequence.
    return undefined;
  }
}

/** Returns the URL of a proxy without its credentials, for messages. */
export function describeProxy(proxy: ProxyAddress): string {
  return `${proxy.scheme}://${writtenAddress(proxy)}`;
}
