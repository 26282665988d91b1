import { pipeline } from 'node:stream/promises';
import { createGzip, constants } from 'node:zlib';
import { type Steps, withBreak } from '@kubewright/api/apply';
import type { Answer, AnswerStream } from '../handlers/answers/answer.js';
import { inTurns } from '../handlers/in-turns.js';
import { jsonPieces, listPieces } from './json-pieces.js';
import type { HttpRequest, HttpResponse } from './listener.js';

/** The minimum length of a compressed response, in characters. */
const compressFrom = 128 * 1024;
/**
 * The maximum number of unsent bytes of a watch. If a client reads too slowly, the server breaks the connection at this limit. The client
 * can resume from its last resourceVersion.
 */
const mostPendingBytes = 64 * 1024 * 1024;

/** Sends a response. Resolves when the response is sent; for a stream, resolves when the stream has started. */
export async function sendAnswer(request: HttpRequest, response: HttpResponse, answer: Answer): Promise<void> {
  switch (answer.kind) {
    case 'cut':
      return cut(response);
    case 'text':
      response.writeHead(answer.status, {
        ...(answer.text === '' ? {} : { 'content-type': 'text/plain; charset=utf-8' }),
        'cache-control': 'no-cache, private',
        ...answer.headers,
      });
      endWith(request, response, answer.text);
      return;
    case 'stream':
      response.writeHead(200, {
        'content-type': 'application/json',
        'cache-control': 'no-cache, private',
        ...answer.headers,
      });
      // An HTTP/2 response sends its headers without a flush.
      if ('flushHeaders' in response) response.flushHeaders();
      answer.run(new ResponseStream(response));
      return;
    case 'json':
      return sendJson(request, response, answer);
    case 'list':
      return sendPieces(request, response, {
        head: jsonHead(answer.headers),
        status: 200,
        pieces: listPieces(answer.body),
      });
  }
}

async function sendJson(
  request: HttpRequest,
  response: HttpResponse,
  { status, body, headers }: Extract<Answer, { kind: 'json' }>,
): Promise<void> {
  const head = jsonHead(headers);
  if (status === 304) {
    // A client merges the headers of a 304 response into its cached headers, so the response must not have another content type.
    const { 'content-type': _, ...rest } = head;
    response.writeHead(status, rest);
    response.end();
    return;
  }
  return sendPieces(request, response, { head, status, pieces: jsonPieces(body) });
}

function jsonHead(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { 'content-type': 'application/json', 'cache-control': 'no-cache, private', ...headers };
}

async function sendPieces(
  request: HttpRequest,
  response: HttpResponse,
  {
    status,
    head,
    pieces,
  }: {
    readonly status: number;
    readonly head: Readonly<Record<string, string>>;
    readonly pieces: Iterator<string | Buffer>;
  },
): Promise<void> {
  const { first, whole } = await inTurns(firstPieces(pieces));
  if (whole) {
    response.writeHead(status, head);
    return endWith(request, response, first);
  }
  const gzip = takesGzip(request.headers['accept-encoding'] ?? '');
  response.writeHead(status, gzip ? { ...head, 'content-encoding': 'gzip', vary: 'Accept-Encoding' } : head);
  const source = piecesAfter(first, { pieces, response });
  if (gzip) await pipeline(source, createGzip({ level: constants.Z_BEST_SPEED }), response as NodeJS.WritableStream);
  else await pipeline(source, response as NodeJS.WritableStream);
}

/** Whether an Accept-Encoding header contains `gzip` without parameters. Like a kube-apiserver, ignores `gzip` with a quality value. */
function takesGzip(acceptEncoding: string): boolean {
  return acceptEncoding.split(',').some((token) => token.trim() === 'gzip');
}

/** Joins pieces until the text is long enough for compression. `whole` is true if no pieces remain. */
function* firstPieces(pieces: Iterator<string | Buffer>): Steps<{ readonly first: string; readonly whole: boolean }> {
  let first = '';
  while (first.length < compressFrom) {
    const piece = pieces.next();
    if (piece.done === true) return { first, whole: true };
    first += piece.value.toString();
    yield;
  }
  return { first, whole: false };
}

/**
 * Yields the text `first` and then each further piece, until the client disconnects. The server handles other requests between the pieces.
 */
async function* piecesAfter(
  first: string,
  { pieces, response }: { readonly pieces: Iterator<string | Buffer>; readonly response: HttpResponse },
): AsyncGenerator<string | Buffer> {
  let piece: string | Buffer | undefined = first;
  while (piece !== undefined && !isClosed(response)) {
    yield piece;
    piece = await inTurns(nextPiece(pieces), { isStarted: true });
  }
}

const nextPiece = withBreak((pieces: Iterator<string | Buffer>): string | Buffer | undefined => {
  const { done, value } = pieces.next();
  return done === true ? undefined : value;
});

function endWith(request: HttpRequest, response: HttpResponse, content: string | Uint8Array): void {
  if (request.method === 'HEAD') response.end();
  else response.end(content);
}

/** Whether the connection (with HTTP/2: the stream) is destroyed. */
function isClosed(response: HttpResponse): boolean {
  // The stream of an HTTP/2 response is undefined after its end.
  if ('stream' in response)
    return (response.stream as { readonly destroyed: boolean } | undefined)?.destroyed !== false;
  return response.destroyed;
}

/**
 * Breaks the connection (with HTTP/2: the stream) without sending the end of the response. A stream is closed in a later turn of the event
 * loop, because the reset of a stream while Node.js processes received frames corrupts the memory of the process (Node.js issue 64113).
 */
function cut(response: HttpResponse): void {
  const { stream } = 'stream' in response ? response : {};
  if (stream !== undefined) setImmediate(() => stream.close(2));
  else (response as { readonly socket: { destroy(): void } | null }).socket?.destroy();
}

/** The body of a streamed HTTP response. */
export class ResponseStream implements AnswerStream {
  readonly #response: HttpResponse;
  /** The number of writes that have not reached the socket yet. */
  #unsent = 0;
  #cutting = false;
  #full = false;

  constructor(response: HttpResponse) {
    this.#response = response;
    response.on('drain', () => {
      this.#full = false;
    });
  }

  /** Whether the client reads more slowly than the server writes. Stays true after the client disconnects. */
  get isFull(): boolean {
    return this.#full || isClosed(this.#response);
  }

  onDrain(listener: () => void): void {
    this.#response.on('drain', listener);
  }

  write(text: string | Uint8Array): void {
    if (this.#cutting || this.#response.writableEnded || isClosed(this.#response)) return;
    this.#unsent += 1;
    const accepted = (this.#response as NodeJS.WritableStream).write(text, () => {
      this.#unsent -= 1;
      if (this.#cutting && this.#unsent === 0) cut(this.#response);
    });
    if (!accepted) this.#full = true;
    if (this.#response.writableLength > mostPendingBytes) cut(this.#response);
  }

  end(): void {
    if (!this.#response.writableEnded) this.#response.end();
  }

  abort(): void {
    cut(this.#response);
  }

  /** Breaks the connection after all earlier writes are sent, so that a planned cut always happens at the same byte. */
  cut(): void {
    this.#cutting = true;
    if (this.#unsent === 0) cut(this.#response);
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }
}
