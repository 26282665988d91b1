import { type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { type TLSSocket, connect as tlsConnect } from 'node:tls';
import type { Clock } from '@kubewright/api/clock';
import { abortable } from '../../waiting/abortable.js';
import type { TlsOptions } from '../connection/tls-options.js';
import { addressOf } from '../proxy/host-and-port.js';
import { Http2Session, silence, type StreamRequest } from './http2-session.js';
import type { ProxyDialer } from '../proxy/proxy-dialer.js';
import { type OpenedStream, ReadableBytes } from './readable-bytes.js';

const CONNECT_TIMEOUT_MS = 30_000;

export interface StreamOpenerOptions {
  readonly url: URL;
  readonly tls: TlsOptions & { readonly lookup?: LookupFunction };
  readonly clock: Clock;
  /** If no byte of an answer arrives for this duration before the head of the answer, the stream fails. */
  readonly silenceMs: number;
  /** Opens connections through a proxy. @default direct connections to the server */
  readonly dialer: ProxyDialer | undefined;
}

/**
 * Opens streams. If the server supports HTTP/2, several streams share a connection. Otherwise, each stream uses its own HTTP/1.1
 * connection.
 */
export class StreamOpener {
  readonly #url: URL;
  readonly #silenceMs: number;
  readonly #tls: TlsOptions & { readonly lookup?: LookupFunction };
  readonly #clock: Clock;
  readonly #dialer: ProxyDialer | undefined;
  readonly #sessions = new Set<Http2Session>();
  readonly #requests = new Set<ClientRequest>();
  /** The sockets with an unfinished handshake. */
  readonly #dialled = new Set<TLSSocket>();
  /** The pending session, which streams that are opened at the same time share. */
  #connecting: Promise<Http2Session | TLSSocket> | undefined;
  #closed = false;
  #retired = false;

  constructor({ url, tls, clock, silenceMs, dialer }: StreamOpenerOptions) {
    this.#dialer = dialer;
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
        // The caller that opened the connection receives the error; this caller opens its own connection.
        const dialled = this.#connecting.catch(() => undefined);
        await abortable(dialled, request.signal);
        request.signal?.throwIfAborted();
      }
    }
  }

  /** Whether no connection is open. */
  get isIdle(): boolean {
    return this.#sessions.size === 0 && this.#requests.size === 0;
  }

  /** Stops opening streams, and closes each connection after its last stream ends. */
  retire(): void {
    this.#retired = true;
    for (const session of this.#sessions) session.retire();
  }

  /** Destroys every connection and its streams. The streams fail with the error, if any. */
  close(error?: Error): void {
    this.#closed = true;
    for (const session of this.#sessions) session.destroy(error);
    for (const request of this.#requests) request.destroy(error);
    for (const socket of this.#dialled) socket.destroy();
    this.#sessions.clear();
  }

  #sessionWithRoom(): Http2Session | undefined {
    for (const session of this.#sessions) {
      if (session.hasRoom) return session;
    }
    return undefined;
  }

  /**
   * Opens a connection. If the signal is aborted, rejects immediately, and a connection that other streams cannot share is closed as soon
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
   * Opens a connection to the server. The signal aborts only the connection through a proxy, because other streams may share a handshake
   * with the server.
   */
  async #handshake(signal: AbortSignal | undefined): Promise<Http2Session | TLSSocket> {
    const way = await this.#dialer?.dial(signal);
    const address = addressOf(this.#url);
    const socket = tlsConnect({
      ...address,
      ...(isIP(address.host) === 0 ? { servername: address.host } : {}),
      ...this.#tls,
      ...(way && { socket: way }),
      ALPNProtocols: ['h2', 'http/1.1'],
    });
    socket.setKeepAlive(true, CONNECT_TIMEOUT_MS);
    socket.setNoDelay(true);
    this.#dialled.add(socket);
    await secured(socket, this.#clock).finally(() => this.#dialled.delete(socket));
    if (this.#closed) throw closedOn(socket);
    if (socket.alpnProtocol !== 'h2') return socket;
    const session = new Http2Session(this.#url, socket, this.#clock);
    this.#sessions.add(session);
    socket.once('close', () => this.#sessions.delete(session));
    return session;
  }

  /** Opens the last stream of a session. */
  #openLast(session: Http2Session, request: StreamRequest): Promise<OpenedStream> {
    const opened = session.open(request, this.#silenceMs);
    session.retire();
    return opened;
  }

  /** Opens a stream on a socket that was opened only for this stream. Closes the socket if the stream is aborted. */
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

/** Resolves when the TLS handshake is complete. */
function secured(socket: TLSSocket, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.schedule(CONNECT_TIMEOUT_MS, () => socket.destroy(new Error('no TLS connection within 30 s')));
    socket.once('secureConnect', () => {
      timer.cancel();
      socket.off('error', reject);
      // From here on, the 'close' event reports the end of the socket to its reader.
      socket.on('error', () => socket.destroy());
      resolve();
    });
    socket.once('error', reject);
    socket.once('close', () => {
      timer.cancel();
      reject(new Error('the connection was closed before the TLS handshake ended'));
    });
  });
}

/** Resolves when the head of the answer arrives. */
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
      // From here on, the reader limits the silence of the stream.
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
