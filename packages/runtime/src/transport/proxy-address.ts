import { addressOf, type HostAndPort, writtenAddress } from './host-and-port.js';

/** Where a proxy is, and how to be let in. */
export interface ProxyAddress extends HostAndPort {
  readonly scheme: 'http' | 'https' | 'socks5';
  /** @default none */
  readonly credentials?: { readonly username: string; readonly password: string };
}

const SCHEMES: Readonly<Record<string, ProxyAddress['scheme']>> = {
  'http:': 'http',
  'https:': 'https',
  'socks5:': 'socks5',
  // Another name of the same: the proxy resolves the host in any case.
  'socks5h:': 'socks5',
};

/** What is wrong with the URL of a proxy, as the end of a sentence. It shows nothing of the URL, which may hold a password. */
export const NO_PROXY_URL = "is not the URL of a proxy: write one of http, https or socks5, such as 'http://HOST:PORT'";

/** The proxy of a URL; undefined for what is none. A path is not looked at. */
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
    // A per cent sign in user or password that begins no escape.
    return undefined;
  }
}

/** The URL of the proxy, without what lets somebody in. */
export function describeProxy(proxy: ProxyAddress): string {
  return `${proxy.scheme}://${writtenAddress(proxy)}`;
}
