import type { LookupFunction } from 'node:net';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { Clock } from '@kubewright/api/clock';
import { type Answer, dispatch, type DispatchGuards } from './dispatch.js';
import type { StreamRequest } from './http2-session.js';
import type { ProxyAddress } from '../proxy/proxy-address.js';
import { ProxyDialer } from '../proxy/proxy-dialer.js';
import type { OpenedStream } from './readable-bytes.js';
import { StreamOpener } from './stream-opener.js';
import type { TlsOptions } from '../connection/tls-options.js';

export interface RouteOptions {
  readonly url: URL;
  readonly tls: TlsOptions;
  readonly clock: Clock;
  readonly maxConnections: number;
  /** The function that resolves the host name of the server. @default the resolver of the system */
  readonly lookup?: LookupFunction;
  /** The proxy to the server. @default none: direct connections to the server */
  readonly proxy?: ProxyAddress | undefined;
  /**
   * The time in milliseconds without a received byte after which a connection is considered broken. For a stream, this limit applies only
   * until the head of the response arrives.
   */
  readonly silenceMs: number;
}

/** A single request, in the form in which it is sent. */
export interface SingleRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | null;
}

/** The connections to a server that use the same certificates. */
export class Route {
  readonly #pool: Pool;
  readonly #streams: StreamOpener;
  readonly #dialer: ProxyDialer | undefined;
  #requestsOver = false;

  constructor({ url, tls, clock, maxConnections, silenceMs, lookup, proxy }: RouteOptions) {
    const connecting = lookup === undefined ? tls : { ...tls, lookup };
    this.#dialer = proxy === undefined ? undefined : new ProxyDialer({ proxy, url, tls, clock, lookup });
    const connect = { ...connecting, timeout: 30_000 };
    this.#pool = new Pool(url.origin, {
      connections: maxConnections,
      pipelining: 1,
      connect: this.#dialer?.connector(connect) ?? connect,
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
    });
    this.#streams = new StreamOpener({ url, tls: connecting, clock, silenceMs, dialer: this.#dialer });
  }

  /** Sends a request on a connection of the pool. If the request is aborted or times out, its connection is closed. */
  send(request: SingleRequest, guards: DispatchGuards): Promise<Answer> {
    return dispatch(this.#pool, this.#dialer?.sent(request) ?? request, guards);
  }

  open(request: StreamRequest): Promise<OpenedStream> {
    return this.#streams.open(this.#dialer?.sent(request) ?? request);
  }

  /** Accepts no further requests. Closes idle connections immediately, and other connections when their requests and streams have ended. */
  retire(): void {
    const over = (): void => {
      this.#requestsOver = true;
    };
    // Errors are ignored, because pending requests report their own errors.
    this.#pool.close().then(over, over);
    this.#streams.retire();
  }

  /** Whether the route is retired and has neither pending requests nor streams. */
  get isIdle(): boolean {
    return this.#requestsOver && this.#streams.isIdle;
  }

  /** Closes the connections of streams, so that callers open their streams again. Single requests continue. */
  replaceStreams(): void {
    this.#streams.close(new Error('the connection was replaced by a connection with the new certificate'));
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    this.#dialer?.close();
    this.#streams.close();
    if (!this.#pool.destroyed) await this.#pool.destroy();
  }
}
