/** What a request line asks for. */
export interface RequestTarget {
  /** Decoded, and nothing in it resolved: empty parts and parts that are dots stay. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Reads a path with its query. A percent sign that begins no byte stands for itself. */
export function requestTarget(url: string): RequestTarget {
  const [path, query] = split(url);
  return { path: decoded(path), query: new URLSearchParams(query) };
}

/** Whether every percent sign of the path begins a byte, without which a server reads nothing. */
export function isRequestTarget(url: string): boolean {
  return !/%(?![0-9a-f]{2})/i.test(split(url)[0]);
}

function split(url: string): readonly [path: string, query: string] {
  const at = url.indexOf('?');
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

/** Bytes that are no UTF-8 are replaced. */
function decoded(path: string): string {
  if (!path.includes('%')) return path;
  const bytes = path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
