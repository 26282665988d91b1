import type { LookupFunction } from 'node:net';
import type { Clock } from '@kubewright/api/clock';
import type { Answer, DispatchGuards, SingleRequest } from './dispatch.js';
import type { StreamRequest } from './http2-session.js';
import type { ProxyAddress } from '../proxy/proxy-address.js';
import { ProxyDialer } from '../proxy/proxy-dialer.js';
import type { OpenedStream } from './readable-bytes.js';
import { RequestConnections } from './request-connections.js';
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

/** Sends the requests that use the same certificates to a server: over the network, or as calls to a server in this process. */
export interface Route {
  /** Sends a request. Aborting the request does not affect other requests of an HTTP/2 connection. */
  send(request: SingleRequest, guards: DispatchGuards): Promise<Answer>;
  /** Opens a stream. Resolves when the head of the response arrives. */
  open(request: StreamRequest): Promise<OpenedStream>;
  /** Accepts no further requests. Closes idle connections immediately, and other connections when their requests and streams have ended. */
  retire(): void;
  /** Whether a retired route has neither pending requests nor streams. */
  readonly isIdle: boolean;
  /** Closes the connections of streams, so that callers open their streams again. Single requests continue. */
  replaceStreams(): void;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** The network connections to a server that use the same certificates. */
export class NetworkRoute implements Route {
  readonly #requests: RequestConnections;
  readonly #streams: StreamOpener;
  readonly #dialer: ProxyDialer | undefined;

  constructor(options: RouteOptions) {
    const { url, tls, clock, maxConnections, silenceMs, lookup, proxy } = options;
    const connecting = lookup === undefined ? tls : { ...tls, lookup };
    const dialer = proxy === undefined ? undefined : new ProxyDialer({ proxy, url, tls, clock, lookup });
    this.#dialer = dialer;
    this.#requests = new RequestConnections({ url, tls: connecting, clock, silenceMs, dialer, maxConnections });
    this.#streams = new StreamOpener({ url, tls: connecting, clock, silenceMs, dialer });
  }

  /**
   * Sends a request. If the request is aborted or times out, closes its HTTP/1.1 connection. An HTTP/2 connection remains open for other
   * requests.
   */
  send(request: SingleRequest, guards: DispatchGuards): Promise<Answer> {
    return this.#requests.send(this.#dialer?.sent(request) ?? request, guards);
  }

  open(request: StreamRequest): Promise<OpenedStream> {
    return this.#streams.open(this.#dialer?.sent(request) ?? request);
  }

  retire(): void {
    this.#requests.retire();
    this.#streams.retire();
  }

  get isIdle(): boolean {
    return this.#requests.isOver && this.#streams.isIdle;
  }

  replaceStreams(): void {
    this.#streams.close(new Error('the connection was replaced by a connection with the new certificate'));
  }

  async close(): Promise<void> {
    this.#dialer?.close();
    this.#streams.close();
    await this.#requests.close();
  }
}
