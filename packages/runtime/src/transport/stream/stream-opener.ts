import { type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '@kubewright/api/clock';
import { abortable } from '../../waiting/abortable.js';
import type { TlsOptions } from '../connection/tls-options.js';
import { addressOf } from '../proxy/host-and-port.js';
import { Http2Session, silence, type StreamRequest } from './http2-session.js';
import type { ProxyDialer } from '../proxy/proxy-dialer.js';
import { type OpenedStream, ReadableBytes } from './readable-bytes.js';
import { CONNECT_TIMEOUT_MS, SecureDialer, type SecureDialerOptions } from './secure-dialer.js';

export interface StreamOpenerOptions extends SecureDialerOptions {
  /** The time in milliseconds without a received byte, before the head of the response, after which a stream fails. */
  readonly silenceMs: number;
}

/**
 * Opens streams. With HTTP/2, several streams share a connection. If the server does not support HTTP/2, each stream has its own HTTP/1.1
 * connection.
 */
export class StreamOpener {
  readonly #url: URL;
  readonly #silenceMs: number;
  readonly #tls: TlsOptions & { readonly lookup?: LookupFunction };
  readonly #clock: Clock;
  readonly #dialer: ProxyDialer | undefined;
  readonly #secure: SecureDialer;
  readonly #sessions = new Set<Http2Session>();
  readonly #requests = new Set<ClientRequest>();
  /** The connection that is being opened. Streams that are opened in the meantime wait for this connection. */
  #connecting: Promise<Http2Session | TLSSocket> | undefined;
  #closed = false;
  #retired = false;

  constructor({ url, tls, clock, silenceMs, dialer }: StreamOpenerOptions) {
    this.#dialer = dialer;
    this.#secure = new SecureDialer({ url, tls, clock, dialer });
    this.#silenceMs = silenceMs;
    this.#url = url;
    this.#tls = tls;
    this.#clock = clock;
  }

  async open(request: StreamRequest): Promise<OpenedStream> {
    if (this.#url.protocol === 'http:') {
      const socket = await this.#dialer?.dial(request.signal);
      return socket === undefined ? this.#openHttp1(request, undefined) : this.#openOn(socket, request);
    }
    for (;;) {
      const session = this.#sessionWithRoom();
      if (session !== undefined) return session.open(request, this.#silenceMs);
      if (this.#connecting === undefined) {
        const way = await this.#dialFor(request);
        if (!(way instanceof Http2Session)) return this.#openOn(way, request);
        request.signal?.throwIfAborted();
        if (this.#retired) return this.#openLast(way, request);
      } else {
        // The caller that opened the connection receives its error. This caller opens a connection of its own.
        const dialled = this.#connecting.catch(() => undefined);
        await abortable(dialled, request.signal);
        request.signal?.throwIfAborted();
      }
    }
  }

  /** Whether there are no open connections. */
  get isIdle(): boolean {
    return this.#sessions.size === 0 && this.#requests.size === 0;
  }

  /** Opens no further streams, and closes each connection when its last stream has ended. */
  retire(): void {
    this.#retired = true;
    for (const session of this.#sessions) session.retire();
  }

  /** Closes all connections. Their streams fail with the error, if one is given. */
  close(error?: Error): void {
    this.#closed = true;
    for (const session of this.#sessions) session.destroy(error);
    for (const request of this.#requests) request.destroy(error);
    this.#secure.close();
    this.#sessions.clear();
  }

  #sessionWithRoom(): Http2Session | undefined {
    for (const session of this.#sessions) {
      if (session.hasRoom) return session;
    }
    return undefined;
  }

  /**
   * Opens a connection. If the signal is aborted, rejects immediately. A connection that other streams cannot share is then closed as soon
   * as it is open.
   */
  async #dialFor({ signal }: StreamRequest): Promise<Http2Session | TLSSocket> {
    const dialled = this.#dial(signal);
    try {
      return await abortable(dialled, signal);
    } catch (error) {
      const close = (way: Http2Session | TLSSocket): void => {
        if (!(way instanceof Http2Session)) way.destroy();
      };
      dialled.then(close, () => undefined);
      throw error;
    }
  }

  async #dial(signal: AbortSignal | undefined): Promise<Http2Session | TLSSocket> {
    this.#connecting = this.#handshake(signal);
    try {
      return await this.#connecting;
    } finally {
      this.#connecting = undefined;
    }
  }

  /**
   * Opens a connection to the server. The signal aborts only the connection to a proxy, because other streams may be waiting for the TLS
   * handshake with the server.
   */
  async #handshake(signal: AbortSignal | undefined): Promise<Http2Session | TLSSocket> {
    const socket = await this.#secure.dial(signal);
    if (socket.alpnProtocol !== 'h2') return socket;
    const session = new Http2Session(this.#url, socket, this.#clock);
    this.#sessions.add(session);
    socket.once('close', () => this.#sessions.delete(session));
    return session;
  }

  /** Opens a stream on a session, and then closes the session for further streams. */
  #openLast(session: Http2Session, request: StreamRequest): Promise<OpenedStream> {
    const opened = session.open(request, this.#silenceMs);
    session.retire();
    return opened;
  }

  /**
   * Opens a stream on a socket that no other stream uses. Closes the socket and rejects if the signal is aborted or the opener is closed.
   */
  async #openOn(socket: Socket, request: StreamRequest): Promise<OpenedStream> {
    if (this.#closed) throw closedOn(socket);
    if (request.signal?.aborted) socket.destroy();
    request.signal?.throwIfAborted();
    return this.#openHttp1(request, socket);
  }

  #openHttp1(request: StreamRequest, socket: Socket | undefined): Promise<OpenedStream> {
    const secure = this.#url.protocol === 'https:';
    const options = {
      ...addressOf(this.#url),
      method: 'GET',
      path: request.path,
      headers: { ...request.headers, connection: 'close' },
    };
    const way =
      socket === undefined
        ? { ...(this.#tls.lookup && { lookup: this.#tls.lookup }), agent: false }
        : { createConnection: () => socket };
    const sent = (secure ? httpsRequest : httpRequest)({ ...options, ...way });
    this.#requests.add(sent);
    sent.once('close', () => this.#requests.delete(sent));
    sent.setNoDelay(true);
    sent.setSocketKeepAlive(true, CONNECT_TIMEOUT_MS);
    sent.setTimeout(this.#silenceMs, () => sent.destroy(silence()));
    return answered(sent, request.signal);
  }
}

function closedOn(socket: Socket): Error {
  socket.destroy();
  return new Error('the transport was closed');
}

/** Resolves when the head of the response arrives. */
function answered(sent: ClientRequest, signal: AbortSignal | undefined): Promise<OpenedStream> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      sent.destroy();
      reject(signal?.reason);
    };
    sent.on('error', (error) => {
      signal?.removeEventListener('abort', abort);
      reject(error);
    });
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort, { once: true });
    sent.once('response', (body) => {
      // After the head of the response, the reader of the stream limits the time without received bytes.
      sent.setTimeout(0);
      signal?.removeEventListener('abort', abort);
      resolve(
        new ReadableBytes({
          code: body.statusCode ?? 0,
          headers: body.headers,
          body,
          signal,
          onEnd: () => sent.destroy(),
        }),
      );
    });
    sent.end();
  });
}
