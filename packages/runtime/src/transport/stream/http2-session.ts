import { type ClientHttp2Session, connect } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Clock, Timer } from '@kubewright/api/clock';
import { destroyLater } from './destroy-later.js';
import { type OpenedStream, ReadableBytes } from './readable-bytes.js';

/** The interval between two PINGs of a session. */
const PING_AFTER_MS = 30_000;
/** The time that the server has to answer a PING. */
const PING_TIMEOUT_MS = 15_000;
/** The most streams of one session, even if the server allows more. */
const MAX_STREAMS = 100;
/**
 * The bytes that a server may send before it waits for an acknowledgment: on one stream, and on the whole session. With the 64 KiB of
 * Node.js, a list would wait for a round trip per 64 KiB.
 */
const STREAM_WINDOW = 4 * 2 ** 20;
const SESSION_WINDOW = 64 * 2 ** 20;
/** In megabytes. Above this limit, Node.js refuses new streams, to bound the memory of unread streams. */
const MAX_SESSION_MEMORY = 1000;

/** The request that opens a stream. */
export interface StreamRequest {
  /** Includes the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One HTTP/2 connection that carries streams. If the server does not answer a PING, the session destroys the connection with all streams.
 */
export class Http2Session {
  readonly #session: ClientHttp2Session;
  readonly #clock: Clock;
  #timer: Timer | undefined;
  #streams = 0;
  /** Whether the server accepts no more streams. Open streams are still monitored. */
  #isFull = false;

  constructor(url: URL, socket: TLSSocket, clock: Clock) {
    this.#clock = clock;
    this.#session = connect(url.origin, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: STREAM_WINDOW },
      maxSessionMemory: MAX_SESSION_MEMORY,
    });
    this.#session.once('connect', () => {
      // Node.js also emits `connect` for a session that has been destroyed.
      if (!this.#session.destroyed) this.#session.setLocalWindowSize(SESSION_WINDOW);
    });
    this.#session.on('error', () => this.#stop());
    this.#session.on('close', () => this.#stop());
    this.#session.on('goaway', () => {
      this.#isFull = true;
    });
    this.#session.unref();
    this.#watchOver();
  }

  /** Whether the session can open one more stream. */
  get hasRoom(): boolean {
    if (this.#isFull || this.#session.closed || this.#session.destroyed || this.#timer === undefined) return false;
    return this.#streams < Math.min(this.#session.remoteSettings?.maxConcurrentStreams ?? MAX_STREAMS, MAX_STREAMS);
  }

  /** Opens a stream. Rejects with `silence()` if no byte arrives for `silenceMs` before the head of the answer. */
  open(request: StreamRequest, silenceMs: number): Promise<OpenedStream> {
    return new Promise((resolve, reject) => {
      const stream = this.#session.request({ ':method': 'GET', ':path': request.path, ...request.headers });
      this.#enter();
      stream.setTimeout(silenceMs, () => stream.destroy(silence()));
      let opened = false;
      const abort = (): void => {
        destroyLater(stream);
        reject(request.signal?.reason);
      };
      request.signal?.addEventListener('abort', abort, { once: true });
      stream.once('response', (headers) => {
        opened = true;
        stream.setTimeout(0);
        request.signal?.removeEventListener('abort', abort);
        const { ':status': code, ...rest } = headers;
        const answer = {
          code: code ?? 0,
          headers: rest as OpenedStream['headers'],
          body: stream,
          signal: request.signal,
        };
        resolve(new ReadableBytes({ ...answer, onEnd: () => undefined }));
      });
      stream.on('error', reject);
      stream.once('close', () => {
        this.#leave();
        request.signal?.removeEventListener('abort', abort);
        if (!opened)
          reject(
            Object.assign(new Error('the connection was closed before a response arrived'), { code: 'ECONNRESET' }),
          );
      });
      stream.end();
    });
  }

  /** Stops opening streams, and closes the connection after the last stream ends. */
  retire(): void {
    this.#session.close();
  }

  /** Closes the connection and its streams. The streams fail with the error. */
  destroy(error?: Error): void {
    this.#stop();
    destroyLater(this.#session, error);
  }

  #enter(): void {
    if (this.#streams++ === 0) this.#session.ref();
  }

  #leave(): void {
    if (--this.#streams === 0 && !this.#session.destroyed) this.#session.unref();
  }

  #watchOver(): void {
    this.#timer = this.#clock.schedule(PING_AFTER_MS, () => {
      if (this.#session.destroyed) return;
      const timeout = this.#clock.schedule(PING_TIMEOUT_MS, () =>
        this.destroy(new Error('the connection did not answer a ping within 15 s')),
      );
      this.#timer = timeout;
      this.#session.ping((error) => {
        if (error || this.#timer !== timeout) return;
        timeout.cancel();
        this.#watchOver();
      });
    });
  }

  #stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}

/** Returns the error for a server that does not answer. `isSilence` recognizes the error. */
export function silence(): Error {
  return Object.assign(new Error('no response received'), { code: 'STREAM_SILENT' });
}
