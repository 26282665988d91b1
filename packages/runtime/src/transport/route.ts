import type { LookupFunction } from 'node:net';
import { Pool } from 'undici';
import type { Clock } from '@kubewright/api/clock';
import { type Answer, dispatch, type DispatchGuards } from './dispatch.js';
import type { StreamRequest } from './http2-session.js';
import type { ProxyAddress } from './proxy-address.js';
import { ProxyDialer } from './proxy-dialer.js';
import type { OpenedStream } from './readable-bytes.js';
import { StreamOpener } from './stream-opener.js';
import type { TlsOptions } from './tls-options.js';

export interface RouteOptions {
  readonly url: URL;
  readonly tls: TlsOptions;
  readonly clock: Clock;
  readonly maxConnections: number;
  /** How the name of the server is resolved. @default by the system */
  readonly lookup?: LookupFunction;
  /** What connections go through. @default none: they are made to the server itself */
  readonly proxy?: ProxyAddress | undefined;
  /** Without a byte of the answer for so long, its connection is taken for dead; of a stream, until its head has come. */
  readonly silenceMs: number;
}

/** A single request as it is sent. */
export interface SingleRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | null;
}

/** The connections to a server that were made with one set of certificates. */
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

  /** Sends a request on a connection that has none. One that is aborted or times out takes its connection with it. */
  send(request: SingleRequest, guards: DispatchGuards): Promise<Answer> {
    return dispatch(this.#pool, this.#dialer?.sent(request) ?? request, guards);
  }

  open(request: StreamRequest): Promise<OpenedStream> {
    return this.#streams.open(this.#dialer?.sent(request) ?? request);
  }

  /** Takes no more requests; ends idle connections now and the others when what they carry is over. */
  retire(): void {
    const over = (): void => {
      this.#requestsOver = true;
    };
    // Requests that are under way tell their own errors.
    this.#pool.close().then(over, over);
    this.#streams.retire();
  }

  /** Whether nothing runs on it any more, after it was retired. */
  get isIdle(): boolean {
    return this.#requestsOver && this.#streams.isIdle;
  }

  /** Ends the connections of streams now, so that they begin anew; single requests are let end. */
  replaceStreams(): void {
    this.#streams.close(new Error('the connection was replaced by one with the new certificate'));
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    this.#dialer?.close();
    this.#streams.close();
    if (!this.#pool.destroyed) await this.#pool.destroy();
  }
}
