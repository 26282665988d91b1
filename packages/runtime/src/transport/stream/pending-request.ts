import { allowListeners } from '../../waiting/abort-source.js';
import type { Answer, DispatchGuards, SingleRequest } from './dispatch.js';

/** The functions that settle the promise of a request. */
export interface Settle {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

/** A request that is waiting for a connection or for its response. Listens to the abort signal of the request. */
export class PendingRequest {
  readonly request: SingleRequest;
  readonly guards: DispatchGuards;
  /** Whether the promise of the request is settled. */
  isSettled = false;
  /** The number of times that a server has rejected the request without processing it. */
  refusals = 0;
  /** Called when the signal is aborted while the request is on a connection. */
  onAbort: (() => void) | undefined;
  readonly settle: Settle;

  constructor(request: SingleRequest, guards: DispatchGuards, settle: Settle) {
    this.request = request;
    this.guards = guards;
    this.settle = settle;
    const { signal } = guards;
    if (signal === undefined) return;
    allowListeners(signal);
    signal.addEventListener('abort', this);
  }

  /** Calls the fence. If the fence throws, rejects the request and returns false. */
  mayBeSent(): boolean {
    try {
      this.guards.fence?.();
      return true;
    } catch (error) {
      this.reject(error);
      return false;
    }
  }

  resolve(answer: Answer): void {
    this.release();
    this.settle.resolve(answer);
  }
  reject(reason: unknown): void {
    this.release();
    this.settle.reject(reason);
  }

  /** Marks the request as settled, and removes the listener of the signal. */
  release(): void {
    this.isSettled = true;
    this.guards.signal?.removeEventListener('abort', this);
  }

  /** Called when the signal is aborted. */
  handleEvent(): void {
    this.reject(this.guards.signal?.reason);
    this.onAbort?.();
  }
}
