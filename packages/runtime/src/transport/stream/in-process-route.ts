import type { Clock } from '@kubewright/api/clock';
import type { InProcessCall, InProcessServer } from '../connection/in-process-server.js';
import type { AbortSource } from '../../waiting/abort-source.js';
import { fieldsOf } from '../http2/frame-writer.js';
import type { OpenedStream } from './readable-bytes.js';
import type { Answer, DispatchGuards, SingleRequest } from './dispatch.js';
import { silence, type StreamRequest } from './http2-session.js';
import { decoded } from './request-stream.js';
import type { Route } from './route.js';

/** The host in the headers of each request. Not the host of the server, whose port is random, so that equal requests have equal bytes. */
const AUTHORITY = 'localhost';

export interface InProcessRouteOptions {
  readonly server: InProcessServer;
  readonly clock: Clock;
  /** The maximum number of single requests at the same time. Further requests wait. */
  readonly maxConnections: number;
  /** The time in milliseconds without a response after which a request fails. */
  readonly silenceMs: number;
  /** The client certificate, as PEM. */
  readonly certificate: string | undefined;
}

/** The head and the body of a response, and the function that ends its request. */
interface OpenCall extends Pick<Answer, 'code' | 'headers'> {
  readonly body: AsyncIterable<Buffer>;
  /** Ends the request. A pending read fails with the reason. */
  readonly close: (reason: unknown) => void;
}

/** Sends requests to a server in this process. Requests start in the order of their calls. */
export class InProcessRoute implements Route {
  readonly #options: InProcessRouteOptions;
  readonly #calls = new Set<InProcessCall>();
  /** The requests that wait for the end of another request. */
  readonly #waiting: (() => void)[] = [];
  #single = 0;
  #isClosed = false;

  constructor(options: InProcessRouteOptions) {
    this.#options = options;
  }

  async send(request: SingleRequest, { signal, fence }: DispatchGuards): Promise<Answer> {
    if (this.#single < this.#options.maxConnections) this.#single++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      signal?.throwIfAborted();
      fence?.();
      const { code, headers, body, close } = await this.#open(request, signal);
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of body) chunks.push(chunk);
        const [first] = chunks;
        return { code, headers, body: chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks) };
      } finally {
        close(undefined);
      }
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#single--;
      else next();
    }
  }

  async open({ path, headers, signal }: StreamRequest): Promise<OpenedStream> {
    signal?.throwIfAborted();
    return new InProcessStream(await this.#open({ method: 'GET', path, headers, body: null }, signal), signal);
  }

  get isIdle(): boolean {
    return this.#calls.size === 0;
  }

  /** Does nothing, because the route has no connections. */
  retire(): void {}

  replaceStreams(): void {
    this.#closeAll(new Error('the connection was replaced by a connection with the new certificate'));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closeAll(new Error('the transport was closed'));
  }

  #closeAll(reason: Error): void {
    for (const call of this.#calls) call.close(reason);
  }

  /** Starts a request, and resolves with the head of its response. */
  async #open({ method, path, headers, body }: SingleRequest, signal: AbortSource | undefined): Promise<OpenCall> {
    if (this.#isClosed) throw new Error('the transport was closed');
    const { server, clock, silenceMs, certificate } = this.#options;
    const rawHeaders = fieldsOf({ authority: AUTHORITY, headers });
    const call = server.request({ method, path, rawHeaders, body, certificate });
    const silent = clock.schedule(silenceMs, () => call.close(silence()));
    const abort = (): void => call.close(signal?.reason);
    const close = (reason: unknown): void => {
      silent.cancel();
      signal?.removeEventListener('abort', abort);
      this.#calls.delete(call);
      call.close(reason);
    };
    signal?.addEventListener('abort', abort);
    this.#calls.add(call);
    try {
      const head = await call.response;
      silent.cancel();
      return { code: head.code, headers: decodedHeaders(head.headers), body: head.body, close };
    } catch (error) {
      close(error);
      throw error;
    }
  }
}

/** A response of a server in this process that is read as a stream. */
class InProcessStream implements OpenedStream {
  readonly code: number;
  readonly headers: OpenedStream['headers'];
  readonly #call: OpenCall;
  readonly #signal: AbortSource | undefined;
  #isClosed = false;

  constructor(call: OpenCall, signal: AbortSource | undefined) {
    this.code = call.code;
    this.headers = call.headers;
    this.#call = call;
    this.#signal = signal;
  }

  get contentType(): string {
    return String(this.headers['content-type'] ?? '');
  }

  close(): void {
    this.#isClosed = true;
    this.#call.close(undefined);
  }

  /** Yields the bytes of the body, as `ReadableBytes` does. */
  async *[Symbol.asyncIterator](): AsyncIterator<Buffer> {
    try {
      for await (const chunk of this.#call.body) {
        if (this.#isClosed) break;
        yield chunk;
      }
    } catch (error) {
      this.#signal?.throwIfAborted();
      if (!this.#isClosed) throw error;
    } finally {
      this.close();
    }
    this.#signal?.throwIfAborted();
  }
}

function decodedHeaders(headers: Readonly<Record<string, string>>): Answer['headers'] {
  const texts: Record<string, string> = {};
  for (const name of Object.keys(headers)) texts[name] = decoded(headers[name] as string);
  return texts;
}
