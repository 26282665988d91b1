import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ProxiedResponse } from '../../registry/aggregation/proxied-response.js';
import type { Answer, AnswerStream, ResponseHeaders } from '../answers/answer.js';
import type { ApiRequest } from '../api-request.js';

/** Headers that belong to one connection, or that the server itself handles. The server also handles the headers of impersonation. */
const ownHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Returns whether a client requests another protocol for its connection. */
export function isUpgrade({ canUpgrade, headers }: ApiRequest): boolean {
  return canUpgrade === true && headers['upgrade'] !== undefined;
}

/** Returns the path and the query of a request line. A space is `%20`, because not every server reads a plus sign as a space. */
export function requestLine(path: string, query: URLSearchParams): string {
  const encoded = encodedPath(path);
  return query.size === 0 ? encoded : `${encoded}?${query.toString().replaceAll('+', '%20')}`;
}

function encodedPath(path: string): string {
  return encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23');
}

/** Returns the headers of a request that a proxy forwards: without credentials, and without the headers of the connection. */
export function forwardedHeaders(request: ApiRequest): Record<string, string> {
  const { method, path, headers, body } = request;
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || ownHeaders.has(name) || /^(?::|impersonate-)/.test(name) ? [] : [[name, value] as const],
  );
  const forwarded: Record<string, string> = { ...Object.fromEntries(kept), 'x-forwarded-uri': encodedPath(path) };
  // The server has decompressed the body.
  if (forwarded['content-encoding'] === 'gzip') delete forwarded['content-encoding'];
  if (isUpgrade(request)) return { ...forwarded, connection: 'Upgrade', upgrade: headers['upgrade'] ?? '' };
  const hasBody = body.length > 0 || !['GET', 'HEAD', 'OPTIONS'].includes(method);
  return hasBody ? { ...forwarded, 'content-length': String(body.length) } : forwarded;
}

/** Returns the answer that streams the response of a target, or connects the client with the target after a change of the protocol. */
export function forwardedAnswer({ response, socket }: ProxiedResponse): Answer {
  if (socket !== undefined) {
    // The connection can break before the server runs the answer. Without a listener, this error ends the process.
    socket.on('error', () => undefined);
    return { kind: 'upgrade', headers: headersOf(response, new Set()), run: (client) => connected(client, socket) };
  }
  const run = (stream: AnswerStream): void => forward(response, stream);
  return { kind: 'stream', status: response.statusCode ?? 502, headers: headersOf(response, ownHeaders), run };
}

function headersOf({ headers }: IncomingMessage, omitted: ReadonlySet<string>): ResponseHeaders {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || omitted.has(name) ? [] : [[name, value]],
    ),
  );
}

/** Sends the body of a response at the speed of the client. */
function forward(response: IncomingMessage, stream: AnswerStream): void {
  stream.onDrain(() => response.resume());
  stream.onClose(() => response.destroy());
  response.on('data', (chunk: Buffer) => {
    stream.write(chunk);
    if (stream.isFull) response.pause();
  });
  response.on('end', () => stream.end());
  response.on('error', () => stream.cut());
  // A response that broke before the server has run the answer emits no more events.
  if (response.destroyed && !response.readableEnded) stream.cut();
}

/**
 * Copies the bytes of both connections. If one side ends its connection, the other connection is closed after it has sent all received
 * bytes, as in kube-apiserver.
 */
function connected(client: Duplex, target: Duplex): Promise<void> {
  copy(client, target);
  copy(target, client);
  return new Promise((resolve) => {
    if (client.closed) resolve();
    else client.once('close', resolve);
  });
}

/** Copies the bytes that `from` receives to `to`. Closes `to` after the end of `from`. */
function copy(from: Duplex, to: Duplex): void {
  from.on('error', () => undefined);
  from.once('end', () => {
    if (to.writableFinished) to.destroy();
    else to.once('finish', () => to.destroy());
  });
  from.once('close', () => {
    if (!from.readableEnded) to.destroy();
  });
  from.pipe(to);
  if (from.destroyed) to.destroy();
}
