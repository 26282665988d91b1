import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createGzip, constants } from 'node:zlib';
import type { AnswerStream } from '../handlers/answers/answer.js';
import { inTurns } from '../handlers/in-turns.js';
import { badRequest } from '../registry/requests/status-errors.js';
import type { CertificateUser, ClientCertificates } from './client-certificates.js';
import type { EncodedAnswer } from './encoded-answer.js';
import { type Exchange, mostPendingBytes } from './exchange.js';
import type { HttpRequest, HttpResponse } from './listener.js';
import { firstPieces, piecesAfter } from './pieces-in-turns.js';
import { readBody } from './read-body.js';
import { headOf, type ResponseHead } from './response-head.js';

/** A request over HTTP/1.1 or HTTP/2. */
export class HttpExchange implements Exchange {
  readonly #request: HttpRequest;
  readonly #response: HttpResponse;
  readonly #certificates: ClientCertificates;
  readonly #socket: Socket | undefined;

  /** @param socket the connection, if the client requests another protocol for it. @default none */
  constructor(request: HttpRequest, response: HttpResponse, certificates: ClientCertificates, socket?: Socket) {
    this.#request = request;
    this.#response = response;
    this.#certificates = certificates;
    this.#socket = socket;
  }

  get method(): string {
    return this.#request.method ?? 'GET';
  }
  get url(): string {
    return this.#request.url ?? '/';
  }
  get headers(): Exchange['headers'] {
    return this.#request.headers;
  }
  get rawHeaders(): readonly string[] {
    return this.#request.rawHeaders;
  }
  get canUpgrade(): boolean {
    return this.#socket !== undefined;
  }
  certificateUser(): CertificateUser {
    return this.#certificates.user(this.#request);
  }
  readBody(limitMs: number | undefined): Promise<Uint8Array> {
    if (this.#socket === undefined) return readBody(this.#request, { limitMs });
    // Node.js does not read the body of a request that changes the protocol.
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = this.#request.headers;
    if (length === '0' && encoding === undefined) return Promise.resolve(new Uint8Array());
    return Promise.reject(badRequest('a request with the header Upgrade cannot have a body'));
  }
  isAbandoned(): boolean {
    return 'stream' in this.#request ? this.#request.stream.destroyed : this.#request.socket.destroyed;
  }
  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  async send(answer: EncodedAnswer): Promise<void> {
    const [request, response] = [this.#request, this.#response];
    if (answer.kind === 'cut') return cut(response);
    if (answer.kind === 'upgrade') return this.#upgrade(answer);
    const head = headOf(answer);
    switch (answer.kind) {
      case 'text':
        response.writeHead(head.status, head.headers);
        return endWith(request, response, answer.text);
      case 'stream':
        response.writeHead(head.status, head.headers);
        // An HTTP/2 response sends its headers without a flush.
        if ('flushHeaders' in response) response.flushHeaders();
        return answer.run(new ResponseStream(response));
      case 'pieces':
        return sendPieces(request, response, { ...head, pieces: answer.pieces });
    }
  }

  #upgrade({ headers, run }: Extract<EncodedAnswer, { kind: 'upgrade' }>): void {
    const socket = this.#socket as Socket;
    (this.#response as ServerResponse).detachSocket(socket);
    const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`));
    socket.write(['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join('\r\n'));
    run(socket).catch(() => socket.destroy());
  }

  destroy(): void {
    // HTTP/2 streams must not be reset while Node.js processes received frames.
    setImmediate(() => this.#response.destroy());
  }
}

async function sendPieces(
  request: HttpRequest,
  response: HttpResponse,
  {
    status,
    headers: head,
    pieces,
  }: ResponseHead & {
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
  const source = piecesAfter(first, { pieces, isClosed: () => isClosed(response) });
  if (gzip) await pipeline(source, createGzip({ level: constants.Z_BEST_SPEED }), response as NodeJS.WritableStream);
  else await pipeline(source, response as NodeJS.WritableStream);
}

/** Whether an Accept-Encoding header contains `gzip` without parameters. Like a kube-apiserver, ignores `gzip` with a quality value. */
function takesGzip(acceptEncoding: string): boolean {
  return acceptEncoding.split(',').some((token) => token.trim() === 'gzip');
}

function endWith(request: HttpRequest, response: HttpResponse, content: string | Uint8Array): void {
  if (request.method === 'HEAD') response.end();
  else response.end(content);
}

/** Whether the connection of a response is destroyed. With HTTP/2, whether the stream of the response is destroyed. */
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

  /** Calls the listener when the response is closed. If the response is already closed, calls the listener in a microtask. */
  onClose(listener: () => void): void {
    if (isClosed(this.#response)) queueMicrotask(listener);
    else this.#response.once('close', listener);
  }
}
