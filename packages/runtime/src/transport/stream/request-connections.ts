import type { TLSSocket } from 'node:tls';
import buildConnector from 'undici/lib/core/connect.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { type Answer, dispatch, type DispatchGuards, type SingleRequest } from './dispatch.js';
import { PendingRequest } from './pending-request.js';
import { RequestSession } from './request-session.js';
import { CONNECT_TIMEOUT_MS, SecureDialer, type SecureDialerOptions } from './secure-dialer.js';

/** The maximum number of times that a request is sent again because servers did not process it. */
const MAX_REFUSALS = 5;

export interface RequestConnectionsOptions extends SecureDialerOptions {
  /** The time in milliseconds without a received byte after which a request fails. */
  readonly silenceMs: number;
  /** The maximum number of requests that are sent at the same time. Over HTTP/1.1, each of them has a connection. */
  readonly maxConnections: number;
}

/**
 * The connections for single requests. With HTTP/2, the requests share a connection. A server that does not support HTTP/2 gets a pool of
 * HTTP/1.1 connections.
 */
export class RequestConnections {
  readonly #options: RequestConnectionsOptions;
  readonly #secure: SecureDialer;
  readonly #pool: Pool;
  /** Whether requests use the pool. Undefined until the server has selected HTTP/2 or HTTP/1.1. */
  #usesPool: boolean | undefined;
  /** The requests that wait for a connection. */
  readonly #waiting: PendingRequest[] = [];
  /** All open sessions. At most one of them, the current session, accepts requests. */
  readonly #sessions = new Set<RequestSession>();
  #current: RequestSession | undefined;
  #isDialing = false;
  #isAdvancing = false;
  /** The first HTTP/1.1 connection, until the pool uses it. */
  #spare: TLSSocket | undefined;
  #isRetired = false;
  #isPoolOver = false;
  #isClosed = false;

  constructor(options: RequestConnectionsOptions) {
    this.#options = options;
    this.#secure = new SecureDialer(options);
    this.#usesPool = options.url.protocol === 'http:' ? true : undefined;
    this.#pool = this.#makePool();
  }

  /** Sends a request. Rejects with the errors of `dispatch`. */
  send(request: SingleRequest, guards: DispatchGuards): Promise<Answer> {
    if (this.#usesPool === true) return dispatch(this.#pool, request, guards);
    return new Promise((resolve, reject) => {
      if (guards.signal?.aborted) return reject(guards.signal.reason);
      if (this.#isClosed) return reject(closedError());
      this.#waiting.push(new PendingRequest(request, guards, { resolve, reject }));
      this.#advanceLater();
    });
  }

  /** Whether the connections are retired and all requests have ended. */
  get isOver(): boolean {
    return this.#isPoolOver && this.#sessions.size === 0;
  }

  /** Accepts no further requests, and closes the connections when the pending requests have ended. */
  retire(): void {
    this.#isRetired = true;
    this.#advance();
  }

  /** Closes all connections. Pending requests fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#secure.close();
    this.#spare?.destroy();
    for (const session of this.#sessions) session.destroy(closedError());
    this.#rejectWaiting(closedError());
    if (!this.#pool.destroyed) await this.#pool.destroy();
  }

  #makePool(): Pool {
    const { url, tls, dialer, maxConnections, silenceMs } = this.#options;
    const options = { ...tls, timeout: CONNECT_TIMEOUT_MS };
    const connect = dialer?.connector(options) ?? buildConnector(options);
    return new Pool(url.origin, {
      connections: maxConnections,
      pipelining: 1,
      connect: (requested, callback) => {
        const spare = this.#spare;
        this.#spare = undefined;
        if (spare === undefined) connect(requested, callback);
        // The pool ignores a connection that it receives during the call.
        else setImmediate(() => (spare.destroyed ? connect(requested, callback) : callback(null, spare)));
      },
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
    });
  }

  /** Calls `#advance` at the end of this turn of the event loop, when all requests and responses of the turn are known. */
  #advanceLater(): void {
    if (this.#isAdvancing) return;
    this.#isAdvancing = true;
    setImmediate(() => {
      this.#isAdvancing = false;
      this.#advance();
    });
  }

  /** Sends the waiting requests with one write. Opens a connection if there is none. */
  #advance(): void {
    const session = this.#current;
    if (session?.isUsable === true) {
      while (session.hasRoom) {
        const pending = this.#waiting.shift();
        if (pending === undefined) break;
        if (!pending.isSettled) session.send(pending);
      }
      session.flush();
    } else if (this.#waiting.length > 0 && !this.#isDialing && !this.#isClosed) void this.#dial();
    if (this.#isRetired && this.#waiting.length === 0) this.#retireAll();
  }

  async #dial(): Promise<void> {
    this.#isDialing = true;
    try {
      const socket = await this.#secure.dial();
      if (socket.alpnProtocol === 'h2') this.#openSession(socket);
      else this.#usePool(socket);
    } catch (error) {
      this.#rejectWaiting(error);
    } finally {
      this.#isDialing = false;
    }
    this.#advance();
  }

  #openSession(socket: TLSSocket): void {
    const { url, clock, silenceMs, maxConnections } = this.#options;
    this.#usesPool = false;
    const session = new RequestSession({
      socket,
      authority: url.host,
      clock,
      silenceMs,
      maxStreams: maxConnections,
      onChange: (changed) => {
        if (changed.isClosed) this.#sessions.delete(changed);
        this.#advanceLater();
      },
      onUnprocessed: (pending) => this.#sendAgain(pending),
    });
    this.#sessions.add(session);
    this.#current = session;
  }

  /** Passes the connection, the waiting requests and all later requests to the pool. */
  #usePool(socket: TLSSocket): void {
    this.#usesPool = true;
    const waiting = this.#waiting.splice(0).filter(({ isSettled }) => !isSettled);
    if (waiting.length === 0) socket.destroy();
    else this.#spare = socket;
    for (const pending of waiting) {
      pending.release();
      dispatch(this.#pool, pending.request, pending.guards).then(pending.settle.resolve, pending.settle.reject);
    }
  }

  /** Sends a request that the server did not process again, before other requests. */
  #sendAgain(pending: PendingRequest): void {
    pending.refusals++;
    if (pending.refusals > MAX_REFUSALS) {
      pending.reject(new Error(`servers refused to process the request ${pending.refusals} times`));
      return;
    }
    this.#waiting.unshift(pending);
  }

  #rejectWaiting(error: unknown): void {
    for (const pending of this.#waiting.splice(0)) if (!pending.isSettled) pending.reject(error);
  }

  /** Closes the connections when their pending requests have ended. */
  #retireAll(): void {
    this.#current?.retire();
    const over = (): void => {
      this.#isPoolOver = true;
    };
    // Errors are ignored, because pending requests report their own errors.
    if (!this.#pool.closed && !this.#pool.destroyed) this.#pool.close().then(over, over);
  }
}

function closedError(): Error {
  return new Error('the transport was closed');
}
