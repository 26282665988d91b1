import { goQuote } from '../../schema/go-text.js';
import { CelError, NO_OVERLOAD } from '../values/cel-error.js';
import { celTypes } from '../values/cel-type.js';
import type { CelValue, OpaqueValue } from '../values/cel-value.js';
import { replaceEach } from '../values/replace-each.js';
import { checkListSize, LONGEST_LIST } from '../values/size-limits.js';

/** A URL with its components as parsed by Go. */
export class Url implements OpaqueValue {
  readonly opaqueType = celTypes.url;
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly escapedPath: string;
  readonly #query: string;

  constructor(
    text: string,
    parts: { readonly scheme: string; readonly host: string; readonly path: string; readonly query: string },
  ) {
    this.text = text;
    this.scheme = parts.scheme;
    this.host = parts.host;
    this.escapedPath = replaceEach(parts.path, /[^A-Za-z0-9\-_.~!$&'()*+,;=:@/%[\]]/gu, encodeURIComponent);
    this.#query = parts.query;
  }

  get hostname(): string {
    const bracketed = /^\[(.*)\](?::\d*)?$/.exec(this.host);
    return bracketed?.[1] ?? this.host.replace(/:\d*$/, '');
  }

  get port(): string {
    return /:(\d*)$/.exec(this.host.replace(/^\[.*\]/, ''))?.[1] ?? '';
  }

  /**
   * Returns the values of the query by name, in the order of the text. Skips invalid pairs. Throws CostExceeded if the query has too many
   * pairs.
   */
  get query(): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, string[]>();
    const pairs = this.#query.split('&', LONGEST_LIST + 1);
    checkListSize(pairs.length);
    for (const pair of pairs) {
      if (pair === '' || pair.includes(';')) continue;
      const equals = pair.indexOf('=');
      const key = unescapeQuery(equals < 0 ? pair : pair.slice(0, equals));
      const value = unescapeQuery(equals < 0 ? '' : pair.slice(equals + 1));
      if (key === undefined || value === undefined) continue;
      const values = found.get(key);
      if (values === undefined) found.set(key, [value]);
      else values.push(value);
    }
    return found;
  }

  equals(other: CelValue): CelValue {
    return other instanceof Url ? other.text === this.text : NO_OVERLOAD;
  }
}

const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

/** Returns the byte for the two hexadecimal digits at a position. */
function hexAt(bytes: Buffer, at: number): number {
  return Number.parseInt(bytes.toString('latin1', at, at + 2), 16);
}

function unescapeQuery(text: string): string | undefined {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  const bytes = Buffer.from(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1, length += 1) {
    const byte = bytes[at] ?? 0;
    bytes[length] = byte === PLUS ? SPACE : byte === PERCENT ? hexAt(bytes, at + 1) : byte;
    if (byte === PERCENT) at += 2;
  }
  return bytes.toString('utf8', 0, length);
}

/** Parses an absolute URL or an absolute path. Returns an error in the wording of Go if the text is neither. */
export function parseUrl(text: string): Url | CelError {
  const fail = (why: string): CelError => new CelError(`parse ${goQuote(text)}: ${why}`);
  if (/\p{Cc}/u.test(text.replace(/[\u0080-\u009f]/g, ''))) return fail('net/url: invalid control character in URL');
  if (text === '') return fail('empty url');
  if (text.startsWith(':')) return fail('missing protocol scheme');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? '';
  const rest = scheme === '' ? text : text.slice(scheme.length + 1);
  const questionMark = rest.indexOf('?');
  const [place, query] = questionMark < 0 ? [rest, ''] : [rest.slice(0, questionMark), rest.slice(questionMark + 1)];
  if (!place.startsWith('/')) {
    if (scheme === '') return fail('invalid URI for request');
    return new Url(text, { scheme: scheme.toLowerCase(), host: '', path: '', query });
  }
  if (!place.startsWith('//') || (scheme === '' && place.startsWith('///')))
    return withPath(text, { scheme, host: '', path: place, query });
  const slash = place.indexOf('/', 2);
  const authority = slash < 0 ? place.slice(2) : place.slice(2, slash);
  const problem = authorityProblem(authority);
  if (problem !== undefined) return fail(problem);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return withPath(text, { scheme, host, path: slash < 0 ? '' : place.slice(slash), query });
}

function withPath(
  text: string,
  parts: { readonly scheme: string; readonly host: string; readonly path: string; readonly query: string },
): Url | CelError {
  const escape = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(parts.path)?.[0];
  if (escape !== undefined) return new CelError(`parse ${goQuote(text)}: invalid URL escape ${goQuote(escape)}`);
  // The path and the query do not contain the fragment, because a request does not contain the fragment. The text of the URL contains the
  // fragment.
  const path = parts.path.split('#')[0] ?? '';
  return new Url(text, { ...parts, scheme: parts.scheme.toLowerCase(), path, query: parts.query.split('#')[0] ?? '' });
}

function authorityProblem(authority: string): string | undefined {
  const at = authority.lastIndexOf('@');
  if (at >= 0 && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(authority.slice(0, at))) return 'net/url: invalid userinfo';
  const host = authority.slice(at + 1);
  // A host can contain escapes only for a percent sign and for non-ASCII bytes.
  const escape = /%(?!25|[89A-Fa-f][0-9A-Fa-f]).{0,2}/.exec(host)?.[0];
  if (escape !== undefined) return `invalid URL escape ${goQuote(escape)}`;
  if (host.startsWith('[') && !host.includes(']')) return "missing ']' in host";
  const port = host.startsWith('[') ? host.slice(host.lastIndexOf(']') + 1) : (/:.*$/.exec(host)?.[0] ?? '');
  if (port !== '' && !/^:\d*$/.test(host.startsWith('[') ? port : (/:[^:]*$/.exec(host)?.[0] ?? ''))) {
    return `invalid port ${goQuote(host.startsWith('[') ? port : (/:[^:]*$/.exec(host)?.[0] ?? port))} after host`;
  }
  const stranger = /[\s"<>\\^`{|}]/.exec(host)?.[0];
  return stranger === undefined ? undefined : `invalid character ${goQuote(stranger)} in host name`;
}
