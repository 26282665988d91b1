import { type ClientHttp2Session, connect } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Clock, Timer } from '@kubewright/api/clock';
import { destroyLater } from './destroy-later.js';
import { type OpenedStream, ReadableBytes } from './readable-bytes.js';

/** So often a session is asked whether it lives. */
const PING_AFTER_MS = 30_000;
/** And has so long to answer. */
const PING_TIMEOUT_MS = 15_000;
/** Streams on one session, where the server allows more. */
const MAX_STREAMS = 100;
/**
 * How many bytes a server may send before it has to wait until it hears that they came: on one stream, and on all together. Node's 64 KiB
 * would hold a list back by a round trip each.
 */
const STREAM_WINDOW = 4 * 2 ** 20;
const SESSION_WINDOW = 64 * 2 ** 20;
/** In megabytes; above it Node refuses new streams, for the sake of those that nobody reads. */
const MAX_SESSION_MEMORY = 1000;

/** What a stream is opened with. */
export interface StreamRequest {
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly signal?: AbortSignal | undefined;
}

/** One HTTP/2 connection that carries streams. It is destroyed, with all of them, when the server no longer answers a PING. */
export class Http2Session {
  readonly #session: ClientHttp2Session;
  readonly #clock: Clock;
  #timer: Timer | undefined;
  #streams = 0;
  /** Whether the server takes no more streams; those that run are still watched over. */
  #isFull = false;

  constructor(url: URL, socket: TLSSocket, clock: Clock) {
    this.#clock = clock;
    this.#session = connect(url.origin, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: STREAM_WINDOW },
      maxSessionMemory: MAX_SESSION_MEMORY,
    });
    this.#session.once('connect', () => {
      // Node tells of the connection of a session that was destroyed meanwhile, too.
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

  /** Whether one more stream may be opened on it. */
  get hasRoom(): boolean {
    if (this.#isFull || this.#session.closed || this.#session.destroyed || this.#timer === undefined) return false;
    return this.#streams < Math.min(this.#session.remoteSettings?.maxConcurrentStreams ?? MAX_STREAMS, MAX_STREAMS);
  }

  /** Rejects with `silence()` when no byte comes for so long before the head of the answer. */
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
          reject(Object.assign(new Error('the connection was closed before an answer'), { code: 'ECONNRESET' }));
      });
      stream.end();
    });
  }

  /** Takes no more streams, and ends the connection when the last one has ended. */
  retire(): void {
    this.#session.close();
  }

  /** Ends the connection and its streams, these with the error. */
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
        this.destroy(new Error('the connection gave no sign of life for 15 s')),
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

/** The error of a server that does not answer; `isSilence` knows it. */
export function silence(): Error {
  return Object.assign(new Error('no answer came'), { code: 'STREAM_SILENT' });
}
