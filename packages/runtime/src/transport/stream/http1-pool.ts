import type { TLSSocket } from 'node:tls';
import buildConnector from 'undici/lib/core/connect.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { proxiedConnector } from '../proxy/proxied-connector.js';
import { CONNECT_TIMEOUT_MS, type SecureDialerOptions } from './secure-dialer.js';

export interface Http1PoolOptions extends Omit<SecureDialerOptions, 'clock'> {
  /** The time in milliseconds without a received byte after which a request fails. */
  readonly silenceMs: number;
  readonly maxConnections: number;
  /** A connection that is already open. The pool uses this connection first. @default none */
  readonly spare?: TLSSocket | undefined;
}

/** Returns a pool of HTTP/1.1 connections. This file is loaded on demand, because API servers usually select HTTP/2. */
export function http1Pool({ url, tls, dialer, maxConnections, silenceMs, spare: given }: Http1PoolOptions): Pool {
  const options = { ...tls, timeout: CONNECT_TIMEOUT_MS };
  const connect = dialer === undefined ? buildConnector(options) : proxiedConnector(dialer, options);
  let spare = given;
  return new Pool(url.origin, {
    connections: maxConnections,
    pipelining: 1,
    connect: (requested, callback) => {
      const first = spare;
      spare = undefined;
      if (first === undefined) connect(requested, callback);
      // The pool ignores a connection that it receives during the call.
      else setImmediate(() => (first.destroyed ? connect(requested, callback) : callback(null, first)));
    },
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  });
}
