import { X509Certificate } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { AnswerStream } from '../handlers/answers/answer.js';
import { inTurns } from '../handlers/in-turns.js';
import { emptyObject } from '../registry/objects/json-object.js';
import type { CertificateUser, ClientCertificates } from './client-certificates.js';
import type { EncodedAnswer } from './encoded-answer.js';
import { type Exchange, mostPendingBytes } from './exchange.js';
import { InProcessBody } from './in-process-body.js';
import type { InProcessCall, InProcessRequest, InProcessResponse } from './in-process-request.js';
import { firstPieces, piecesAfter } from './pieces-in-turns.js';
import { decompressed } from './read-body.js';
import { headOf } from './response-head.js';

/** A request of a client in this process. Bodies are encoded as for other clients, so that client and server share no objects. */
export class InProcessExchange implements Exchange, InProcessCall, AnswerStream {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly canUpgrade = false;
  readonly rawHeaders: readonly string[];
  readonly response: Promise<InProcessResponse>;
  readonly #request: InProcessRequest;
  readonly #certificates: ClientCertificates;
  readonly #body = new InProcessBody();
  readonly #onClose: (() => void)[] = [];
  #resolve!: (response: InProcessResponse) => void;
  #reject!: (reason: unknown) => void;
  #isClosed = false;

  constructor(request: InProcessRequest, certificates: ClientCertificates) {
    this.#request = request;
    this.#certificates = certificates;
    this.method = request.method;
    this.url = request.path;
    this.rawHeaders = request.rawHeaders;
    this.headers = headersOf(request.rawHeaders);
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  close(reason: unknown): void {
    if (this.#isClosed) return;
    this.#reject(reason);
    this.#body.discard(reason);
    this.#closed();
  }

  certificateUser(): CertificateUser {
    const { certificate } = this.#request;
    return this.#certificates.userOf(certificate === undefined ? undefined : new X509Certificate(certificate));
  }
  async readBody(): Promise<Uint8Array> {
    const { method, body } = this.#request;
    if (method === 'GET' || method === 'HEAD' || body === null) return new Uint8Array();
    return decompressed(Buffer.from(body), this.headers);
  }
  isAbandoned(): boolean {
    return this.#isClosed;
  }
  onClose(listener: () => void): void {
    if (this.#isClosed) queueMicrotask(listener);
    else this.#onClose.push(listener);
  }
  destroy(): void {
    this.close(broken('the connection was closed before a response arrived'));
  }

  async send(answer: EncodedAnswer): Promise<void> {
    if (answer.kind === 'cut' || answer.kind === 'upgrade') return this.abort();
    const { status: code, headers: all } = headOf(answer);
    const headers = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [value].flat().join(', ')]));
    switch (answer.kind) {
      case 'text':
        if (this.method !== 'HEAD') this.write(answer.text);
        break;
      case 'stream':
        this.#resolve({ code, headers, body: this.#body });
        return answer.run(this);
      case 'pieces':
        await this.#sendPieces({ code, headers }, answer.pieces);
    }
    this.#resolve({ code, headers, body: this.#body });
    this.end();
  }

  get isFull(): boolean {
    return this.#isClosed || this.#body.isFull;
  }
  onDrain(listener: () => void): void {
    this.#body.onDrain(listener);
  }
  /** Copies bytes, because several watches send the same bytes. */
  write(text: string | Uint8Array): void {
    if (this.#isClosed) return;
    this.#body.append(Buffer.from(text as string));
    if (this.#body.unreadBytes > mostPendingBytes) this.abort();
  }
  end(): void {
    this.#body.finish();
    this.#closed();
  }
  abort(): void {
    this.close(reset());
  }
  cut(): void {
    this.#reject(reset());
    this.#body.finish({ error: reset() });
    this.#closed();
  }

  /**
   * Sends the head and a long body in pieces, at the speed of the client. For a short body, writes only the body, and the caller sends the
   * head. For the method HEAD, writes nothing.
   */
  async #sendPieces(head: Omit<InProcessResponse, 'body'>, pieces: Iterator<string | Buffer>): Promise<void> {
    const { first, whole } = await inTurns(firstPieces(pieces));
    if (this.method === 'HEAD') return;
    if (whole) return this.write(first);
    this.#resolve({ ...head, body: this.#body });
    let drained: () => void = () => undefined;
    this.onDrain(() => drained());
    this.onClose(() => drained());
    for await (const piece of piecesAfter(first, { pieces, isClosed: () => this.#isClosed })) {
      this.write(piece);
      if (this.#body.isFull && !this.#isClosed) {
        await new Promise<void>((resolve) => {
          drained = resolve;
        });
      }
    }
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // The listeners run in their own microtask, as after an event of a connection.
    for (const listener of this.#onClose) queueMicrotask(listener);
  }
}

/** Returns the headers by name. Joins the values of a repeated name, as Node.js does. */
function headersOf(rawHeaders: readonly string[]): IncomingHttpHeaders {
  const headers = emptyObject() as Record<string, string>;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]];
    const present = headers[name];
    headers[name] = present === undefined ? value : `${present}, ${value}`;
  }
  return headers;
}

function reset(): Error {
  return broken('the server broke the connection');
}

function broken(message: string): Error {
  return Object.assign(new Error(message), { code: 'ECONNRESET' });
}
