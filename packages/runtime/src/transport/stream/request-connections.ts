import type { TLSSocket } from 'node:tls';
import type { Pool } from 'undici';
import { type Answer, dispatch, type DispatchGuards, type SingleRequest } from './dispatch.js';
import { PendingRequest } from './pending-request.js';
import { RequestSession } from './request-session.js';
import { SecureDialer, type SecureDialerOptions } from './secure-dialer.js';

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
  /** The pool of a server without HTTP/2. Undefined until the server has selected HTTP/1.1. */
  #pool: Pool | undefined;
  /** The requests that wait for a connection. */
  readonly #waiting: PendingRequest[] = [];
  /** All open sessions. At most one of them, the current session, accepts requests. */
  readonly #sessions = new Set<RequestSession>();
  #current: RequestSession | undefined;
  #isDialing = false;
  #isAdvancing = false;
  #isRetired = false;
  #isPoolOver = false;
  #isClosed = false;

  constructor(options: RequestConnectionsOptions) {
    this.#options = options;
    this.#secure = new SecureDialer(options);
  }

  /** Sends a request. Rejects with the errors of `dispatch`. */
  send(request: SingleRequest, guards: DispatchGuards): Promise<Answer> {
    if (this.#pool !== undefined) return dispatch(this.#pool, request, guards);
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
    for (const session of this.#sessions) session.destroy(closedError());
    this.#rejectWaiting(closedError());
    if (this.#pool?.destroyed === false) await this.#pool.destroy();
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
      const socket = this.#options.url.protocol === 'http:' ? undefined : await this.#secure.dial();
      if (socket?.alpnProtocol === 'h2') this.#openSession(socket);
      else await this.#usePool(socket);
    } catch (error) {
      this.#rejectWaiting(error);
    } finally {
      this.#isDialing = false;
    }
    this.#advance();
  }

  #openSession(socket: TLSSocket): void {
    const { url, clock, silenceMs, maxConnections } = this.#options;
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

  /** Opens a pool, and passes the connection, the waiting requests and all later requests to the pool. */
  async #usePool(socket: TLSSocket | undefined): Promise<void> {
    const { http1Pool } = await import('./http1-pool.js');
    const waiting = this.#waiting.splice(0).filter(({ isSettled }) => !isSettled);
    // Without a request, the pool would not use the connection.
    if (waiting.length === 0) socket?.destroy();
    if (this.#isClosed) return;
    const pool = http1Pool({ ...this.#options, spare: waiting.length === 0 ? undefined : socket });
    this.#pool = pool;
    for (const pending of waiting) {
      pending.release();
      dispatch(pool, pending.request, pending.guards).then(pending.settle.resolve, pending.settle.reject);
    }
  }

  /**
   * Queues a request that the server did not process, before all other waiting requests. Rejects the request if servers have refused the
   * request more than `MAX_REFUSALS` times.
   */
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
    if (this.#pool === undefined) over();
    // Errors are ignored, because pending requests report their own errors.
    else if (!this.#pool.closed && !this.#pool.destroyed) this.#pool.close().then(over, over);
  }
}

function closedError(): Error {
  return new Error('the transport was closed');
}
