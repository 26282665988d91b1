/** The decoded target of a request line. */
export interface RequestTarget {
  /** The decoded path. Empty segments and dot segments stay in the path. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Parses a path with its query. A percent sign without two hexadecimal digits stays unchanged. */
export function requestTarget(url: string): RequestTarget {
  const [path, query] = split(url);
  return { path: decoded(path), query: new URLSearchParams(query) };
}

/** Returns whether each percent sign of the path starts an encoded byte. The server refuses other targets. */
export function isRequestTarget(url: string): boolean {
  return !/%(?![0-9a-f]{2})/i.test(split(url)[0]);
}

function split(url: string): readonly [path: string, query: string] {
  const at = url.indexOf('?');
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

/** Decodes a path. Replaces invalid UTF-8 with U+FFFD. */
function decoded(path: string): string {
  if (!path.includes('%')) return path;
  const bytes = path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
