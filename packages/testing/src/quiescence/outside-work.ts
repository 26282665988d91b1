import type { ChildProcess } from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { ID_HEADER } from './request-ledger.js';
import { currentRun } from './run-name.js';

/** A request of `fetch`, as Node.js publishes it. */
interface FetchRequest {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly headers: string | readonly string[];
}

/** The types of short operations that Node.js executes outside of the event loop. */
const SHORT_OPERATIONS: ReadonlySet<string> = new Set(['FSReqCallback', 'FSReqPromise', 'GetAddrInfoReqWrap']);

/**
 * The work that running reconciles have started outside of the environment, and that has not ended: requests of `fetch` and `node:http`,
 * and child processes. Node.js publishes the start of such work in the asynchronous context of the caller, so the work of other code is
 * not included.
 */
export class OutsideWork {
  readonly #onEnd: () => void;
  readonly #pending = new Map<object, { readonly run: string; readonly what: string }>();
  readonly #subscriptions = [
    ['undici:request:create', (message: unknown) => this.#fetched(requestIn<FetchRequest>(message))],
    ['undici:request:trailers', (message: unknown) => this.#ended(requestIn<object>(message))],
    ['undici:request:error', (message: unknown) => this.#ended(requestIn<object>(message))],
    ['http.client.request.start', (message: unknown) => this.#requested(requestIn<ClientRequest>(message))],
    ['child_process', (message: unknown) => this.#spawned((message as { readonly process: ChildProcess }).process)],
  ] as const;

  /**
   * Begins to observe.
   * @param onEnd called when work ends
   */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    for (const [name, listener] of this.#subscriptions) channel(name).subscribe(listener);
  }

  /** Describes the pending work, such as 'fetch GET https://images.example.com/a (reconcile vm default/web)'. */
  pending(): readonly string[] {
    return [...this.#pending.values()].map(({ what, run }) => `${what} (${run})`);
  }
  /** Removes the work of a reconcile that has ended, because the reconcile no longer waits for it. */
  ended(run: string): void {
    for (const [work, { run: starter }] of this.#pending) if (starter === run) this.#pending.delete(work);
  }
  /** Stops observing. */
  close(): void {
    for (const [name, listener] of this.#subscriptions) channel(name).unsubscribe(listener);
  }

  #fetched(request: FetchRequest): void {
    const { origin, method, path, headers } = request;
    if (!headers.includes(ID_HEADER) && !String(headers).includes(`${ID_HEADER}:`))
      this.#began(request, `fetch ${method} ${origin}${path}`);
  }
  #requested(request: ClientRequest): void {
    const { protocol, method, path } = request;
    if (request.hasHeader(ID_HEADER)) return;
    this.#began(request, `HTTP request ${method} ${protocol}//${String(request.getHeader('host'))}${path}`);
    request.once('close', () => this.#ended(request));
  }
  #spawned(child: ChildProcess): void {
    this.#began(child, 'child process');
    child.once('exit', () => this.#ended(child));
    child.once('error', () => this.#ended(child));
  }

  #began(work: object, what: string): void {
    const run = currentRun();
    if (run !== undefined) this.#pending.set(work, { run, what });
  }
  #ended(work: object): void {
    if (this.#pending.delete(work)) this.#onEnd();
  }
}

/** Returns whether this process reads or writes files, or resolves host names. Such operations end soon by themselves. */
export function hasShortOperations(): boolean {
  return process.getActiveResourcesInfo().some((type) => SHORT_OPERATIONS.has(type));
}

/** Returns the other resources that keep this process alive, such as 'Timeout', each type once. */
export function activeResources(): readonly string[] {
  return [...new Set(process.getActiveResourcesInfo())];
}

function requestIn<T>(message: unknown): T {
  return (message as { readonly request: T }).request;
}
