/** A URL that is split as Go splits it. */
export interface UrlParts {
  readonly scheme: string;
  /** The user information and the host. */
  readonly authority: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

/** The ASCII characters that Go refuses in a host name. */
const refusedInHost = /[ \\^`{|}@/]/;

/** Splits a URL with a regular expression, because Go accepts URLs that the WHATWG parser refuses. */
export function splitUrl(text: string): UrlParts {
  const parts = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(text) ?? [];
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = parts;
  return { scheme, authority, path, query, fragment };
}

/** Returns Go's error text for a URL that Go cannot parse, or undefined. */
export function urlFault(text: string): string | undefined {
  const why = faultOf(text, splitUrl(text));
  return why === undefined ? undefined : `parse ${JSON.stringify(text)}: ${why}`;
}

function faultOf(text: string, { scheme, authority, path, fragment }: UrlParts): string | undefined {
  const [withoutFragment = ''] = text.split('#');
  if ([...withoutFragment].some((character) => character < ' ' || character === '\x7f'))
    return 'net/url: invalid control character in URL';
  if (text.startsWith(':')) return 'missing protocol scheme';
  if (scheme === '' && authority === '' && /^[^/]*:/.test(path)) {
    return 'first path segment in URL cannot contain colon';
  }
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return hostFault(host) ?? escapeFault(path) ?? escapeFault(fragment);
}

function hostFault(host: string): string | undefined {
  if (!host.startsWith('[')) {
    const colon = host.lastIndexOf(':');
    const port = colon < 0 ? '' : host.slice(colon);
    if (port !== '' && !/^:\d*$/.test(port)) return `invalid port ${JSON.stringify(port)} after host`;
  } else if (!host.includes(']')) return "missing ']' in host";
  const refused = refusedInHost.exec(host)?.[0];
  const escape = escapeFault(host);
  if (escape !== undefined || refused === undefined) return escape;
  return `invalid character ${JSON.stringify(refused)} in host name`;
}

function escapeFault(text: string): string | undefined {
  const escape = /%(?![0-9a-f]{2}).{0,2}/is.exec(text)?.[0];
  return escape === undefined ? undefined : `invalid URL escape ${JSON.stringify(escape)}`;
}
