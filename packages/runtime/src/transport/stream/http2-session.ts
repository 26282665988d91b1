import { type ClientHttp2Session, connect } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Clock, Timer } from '@kubewright/api/clock';
import { destroyLater } from './destroy-later.js';
import { type OpenedStream, ReadableBytes } from './readable-bytes.js';

/** The interval in milliseconds between two PINGs of a session. */
const PING_AFTER_MS = 30_000;
/** The time in milliseconds within which the server must respond to a PING. */
const PING_TIMEOUT_MS = 15_000;
/** The options of the timers for pings. A ping only checks the connection. */
const UPKEEP = { isUpkeep: true } as const;
/** The maximum number of streams of a session, even if the server allows more. */
const MAX_STREAMS = 100;
/**
 * The number of bytes that the server can send without an acknowledgment: on one stream, and on the whole session. The default of Node.js
 * is 64 KiB, so that a list would need a round trip per 64 KiB.
 */
const STREAM_WINDOW = 4 * 2 ** 20;
const SESSION_WINDOW = 64 * 2 ** 20;
/**
 * The memory limit of a session in megabytes. Above this limit, Node.js rejects new streams, so that unread streams do not fill the memory.
 */
const MAX_SESSION_MEMORY = 1000;

/** The request for a stream. */
export interface StreamRequest {
  /** The path including the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly signal?: AbortSignal | undefined;
}

/** An HTTP/2 connection with several streams. If the server does not respond to a PING, closes the connection and its streams. */
export class Http2Session {
  readonly #session: ClientHttp2Session;
  readonly #clock: Clock;
  #timer: Timer | undefined;
  #streams = 0;
  /** Whether the server accepts no further streams. Open streams continue. */
  #isFull = false;

  constructor(url: URL, socket: TLSSocket, clock: Clock) {
    this.#clock = clock;
    this.#session = connect(url.origin, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: STREAM_WINDOW },
      maxSessionMemory: MAX_SESSION_MEMORY,
    });
    this.#session.once('connect', () => {
      // Node.js also emits `connect` for a session that was already destroyed.
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

  /** Whether the session can open another stream. */
  get hasRoom(): boolean {
    if (this.#isFull || this.#session.closed || this.#session.destroyed || this.#timer === undefined) return false;
    return this.#streams < Math.min(this.#session.remoteSettings?.maxConcurrentStreams ?? MAX_STREAMS, MAX_STREAMS);
  }

  /**
   * Opens a stream. Rejects with the error of `silence` if no byte is received for `silenceMs` milliseconds before the head of the
   * response.
   */
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

  /** Opens no further streams, and closes the connection when the last stream has ended. */
  retire(): void {
    this.#session.close();
  }

  /** Closes the connection. Its streams fail with the error. */
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
    const ping = (): void => {
      if (this.#session.destroyed) return;
      const end = (): void => this.destroy(new Error('the connection did not answer a ping within 15 s'));
      const timeout = this.#clock.schedule(PING_TIMEOUT_MS, end, UPKEEP);
      this.#timer = timeout;
      this.#session.ping((error) => {
        if (error || this.#timer !== timeout) return;
        timeout.cancel();
        this.#watchOver();
      });
    };
    this.#timer = this.#clock.schedule(PING_AFTER_MS, ping, UPKEEP);
  }

  #stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}

/** Returns the error for a server that does not respond. `isSilence` recognizes this error. */
export function silence(): Error {
  return Object.assign(new Error('no response received'), { code: 'STREAM_SILENT' });
}
