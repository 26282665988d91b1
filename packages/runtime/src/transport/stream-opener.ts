import { type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { type TLSSocket, connect as tlsConnect } from 'node:tls';
import type { Clock } from '@kubewright/api/clock';
import { abortable } from './abortable.js';
import type { TlsOptions } from './tls-options.js';
import { addressOf } from './host-and-port.js';
import { Http2Session, silence, type StreamRequest } from './http2-session.js';
import type { ProxyDialer } from './proxy-dialer.js';
import { type OpenedStream, ReadableBytes } from './readable-bytes.js';

const CONNECT_TIMEOUT_MS = 30_000;

export interface StreamOpenerOptions {
  readonly url: URL;
  readonly tls: TlsOptions & { readonly lookup?: LookupFunction };
  readonly clock: Clock;
  /** Without a byte for so long before the head of an answer, a stream is given up. */
  readonly silenceMs: number;
  /** Makes the connections, where they go through a proxy. @default they are made to the server itself */
  readonly dialer: ProxyDialer | undefined;
}

/**
 * Opens streams: over HTTP/2 where the server offers it, many on a connection; else over HTTP/1.1, each on a connection of its own.
 */
export class StreamOpener {
  readonly #url: URL;
  readonly #silenceMs: number;
  readonly #tls: TlsOptions & { readonly lookup?: LookupFunction };
  readonly #clock: Clock;
  readonly #dialer: ProxyDialer | undefined;
  readonly #sessions = new Set<Http2Session>();
  readonly #requests = new Set<ClientRequest>();
  /** Those on which the handshake is not over. */
  readonly #dialled = new Set<TLSSocket>();
  /** A session that is being made, so that streams which are opened together share it. */
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
        // Whoever dialled gets the error; this one tries for itself.
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

  /** Opens no more streams, and ends each connection when its last stream has ended. */
  retire(): void {
    this.#retired = true;
    for (const session of this.#sessions) session.retire();
  }

  /** Destroys every connection, and ends what is read from them: with the error, where there is one. */
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

  /** Whoever gives up waits for it no longer; what others cannot use goes when it comes. */
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

  /** Of the signal only the way through a proxy is ended: a handshake with the server may serve others. */
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

  /** Opens a stream on a session that takes no other after it. */
  #openLast(session: Http2Session, request: StreamRequest): Promise<OpenedStream> {
    const opened = session.open(request, this.#silenceMs);
    session.retire();
    return opened;
  }

  /** Of a socket that was dialled for one stream alone: it goes where the stream is no longer wanted. */
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

/** Resolves at the end of the TLS handshake. */
function secured(socket: TLSSocket, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.schedule(CONNECT_TIMEOUT_MS, () => socket.destroy(new Error('no TLS connection within 30 s')));
    socket.once('secureConnect', () => {
      timer.cancel();
      socket.off('error', reject);
      // Whoever reads the socket from here on hears of its end by 'close'.
      socket.on('error', () => socket.destroy());
      resolve();
    });
    socket.once('error', reject);
    socket.once('close', () => {
      timer.cancel();
      reject(new Error('the connection was closed before it was secured'));
    });
  });
}

/** Resolves at the head of the answer. */
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
      // From here on, whoever reads knows how long it may be silent.
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
