import { addressOf, type HostAndPort, writtenAddress } from './host-and-port.js';

/** The address of a proxy, and the credentials for it. */
export interface ProxyAddress extends HostAndPort {
  readonly scheme: 'http' | 'https' | 'socks5';
  /** @default none */
  readonly credentials?: { readonly username: string; readonly password: string };
}

const SCHEMES: Readonly<Record<string, ProxyAddress['scheme']>> = {
  'http:': 'http',
  'https:': 'https',
  'socks5:': 'socks5',
  // An alias of socks5: the proxy resolves the host in both cases.
  'socks5h:': 'socks5',
};

/** The defect of a proxy URL, as the end of a sentence. The text does not show the URL, which may contain a password. */
export const NO_PROXY_URL = "is not a proxy URL: use an http, https or socks5 URL, such as 'http://HOST:PORT'";

/** Returns the proxy of a URL; undefined if the URL is not valid for a proxy. Ignores the path. */
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
    // A percent sign in the user or password does not begin a valid escape.
    return undefined;
  }
}

/** Returns the URL of the proxy, without credentials. */
export function describeProxy(proxy: ProxyAddress): string {
  return `${proxy.scheme}://${writtenAddress(proxy)}`;
}
