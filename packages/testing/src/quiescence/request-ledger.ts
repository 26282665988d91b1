import type { KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import type { ObservedRequest, RequestProgress, TransportObserver } from '@kubewright/runtime';
import type { WatchedScope } from '@kubewright/runtime/internal';
import { currentRun } from './run-name.js';

/** The header by which the server of the environment and this ledger recognize the same request. */
export const ID_HEADER = 'audit-id';

const MANAGER = 'manager-';

/** Returns the name of the ledger of the n-th manager of an environment, from 1. */
export function managerName(n: number): string {
  return `${MANAGER}${n}`;
}
/** Whether a manager sent the request with this ID, instead of the environment or another client. */
export function isOfManager(id: string | undefined): boolean {
  return id?.startsWith(MANAGER) === true;
}

/** A request that has started and not ended. */
interface OpenRequest {
  readonly id: string;
  readonly request: ObservedRequest;
  readonly isOfReconcile: boolean;
  /** Whether the environment sends the request to check its own state. */
  readonly isCheck: boolean;
  /** Whether the current attempt has no response yet. Also true while the client waits before a retry. */
  isSent: boolean;
  /** The time of the clock, in milliseconds, before which a retry is not sent. */
  retryMs: number;
}

/** The options of a `RequestLedger`. */
export interface RequestLedgerOptions {
  /** The prefix of the IDs of the requests, which is unique among the ledgers of a server. */
  readonly name: string;
  /** The clock of the client. */
  readonly clock: Clock;
  /** Whether the test moves the clock of the client. */
  readonly isMoved: boolean;
  /** Returns whether the current call only checks the state of the environment. Its requests are not activity. */
  readonly isCheck: () => boolean;
  /** Called when the state of a request changes. */
  readonly onChange: () => void;
  /** Called before a request is sent, and when the request has ended. @default not called */
  readonly onSend?: ((id: string, sender: { by: string; reconcile: string | undefined }) => void) | undefined;
  readonly onEnd?: ((id: string) => void) | undefined;
  /** Called when a reconcile sends a write. */
  readonly onWrite: (run: string, attempted: string) => void;
}

/**
 * The unfinished requests of one client, with an ID in the header of each request. With the IDs of the requests that the server delays, the
 * ledger determines whether a request is in transit or waits for the clock. Works with any transport, because it only observes requests.
 */
export class RequestLedger implements TransportObserver {
  readonly #options: RequestLedgerOptions;
  readonly #open = new Set<OpenRequest>();
  #count = 0;
  #answered = 0;

  constructor(options: RequestLedgerOptions) {
    this.#options = options;
  }

  /** Whether the test moves the clock of the client. */
  get isMoved(): boolean {
    return this.#options.isMoved;
  }
  /** Whether all requests have ended. */
  get isIdle(): boolean {
    return this.#open.size === 0;
  }
  /** The number of attempts that have ended, except attempts of leader election and of checks. */
  get answered(): number {
    return this.#answered;
  }

  request(request: ObservedRequest): RequestProgress {
    const { name, clock, onChange, onWrite, onSend, onEnd } = this.#options;
    const run = currentRun();
    if (run !== undefined && request.verb !== 'GET') onWrite(run, request.attempted);
    const id = `${name}-${++this.#count}`;
    request.headers[ID_HEADER] = id;
    onSend?.(id, { by: name, reconcile: run });
    const open: OpenRequest = {
      id,
      request,
      isOfReconcile: run !== undefined,
      isCheck: this.#options.isCheck(),
      isSent: true,
      retryMs: Number.NEGATIVE_INFINITY,
    };
    this.#open.add(open);
    const changed = open.isCheck ? (): void => undefined : onChange;
    return {
      answered: () => {
        open.isSent = false;
        if (!open.isCheck && !request.path.includes('/leases')) this.#answered++;
        changed();
      },
      retried: (_attempt, waitMs) => {
        open.isSent = true;
        open.retryMs = clock.monotonicMs() + waitMs;
      },
      ended: () => {
        this.#open.delete(open);
        onEnd?.(id);
        changed();
      },
    };
  }

  /**
   * Returns the requests whose responses arrive without an advance of the clock. `held` contains the IDs of the requests that the server
   * delays. If `ofReconciles` is true, returns only the requests of reconciles.
   */
  inTransit(held: ReadonlySet<string>, { ofReconciles = false } = {}): readonly string[] {
    const nowMs = this.#options.clock.monotonicMs();
    return [...this.#open]
      .filter((open) => open.isSent && open.retryMs <= nowMs && !held.has(open.id))
      .filter(({ isOfReconcile, isCheck }) => !isCheck && (isOfReconcile || !ofReconciles))
      .map(({ request }) => request.attempted);
  }

  /** Returns the requests and watches that wait for the clock: the server delays them, or the client waits before a retry. */
  waiting(held: ReadonlySet<string>): readonly string[] {
    return [...this.#open]
      .filter((open) => !open.isCheck && this.#waits(open, held))
      .map(({ request }) => request.attempted);
  }

  /** Returns whether a request that checks the state of the environment waits for the clock. */
  isCheckWaiting(held: ReadonlySet<string>): boolean {
    return [...this.#open].some((open) => open.isCheck && this.#waits(open, held));
  }

  /** Returns whether the list or the watch of a scope waits for the clock. */
  isWaiting({ source }: WatchedScope<KubeObject>, held: ReadonlySet<string>): boolean {
    return [...this.#open].some((open) => {
      const { path, query, stream } = open.request;
      if (path !== source.path || !stream || !this.#waits(open, held)) return false;
      const sent = new URLSearchParams(query);
      return (
        (sent.get('labelSelector') ?? undefined) === source.labelSelector &&
        (sent.get('fieldSelector') ?? undefined) === source.fieldSelector
      );
    });
  }

  #waits({ id, isSent, retryMs }: OpenRequest, held: ReadonlySet<string>): boolean {
    const { clock, isMoved } = this.#options;
    return held.has(id) || (isMoved && isSent && retryMs > clock.monotonicMs());
  }
}
