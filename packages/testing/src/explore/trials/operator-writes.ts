import type { FaultPlan, PlannedRequest, PlannedWatchEvent, RequestFault, WatchFault } from '@kubewright/apiserver';
import { isOfManager } from '../../quiescence/request-ledger.js';
import { type WriteName, WriteNames, writeNameText } from '../../writes/write-name.js';

/** The resources of writes that are not part of the state of a world. */
const REPORTING = new Set(['events', 'leases', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews']);

/**
 * Records the writes of an operator. Crashes the operator directly after a chosen write: the server executes the write, and never responds.
 * After the crash, the server cuts all requests and watches of the operator until `restart`.
 */
export class OperatorWrites implements FaultPlan {
  readonly #crashAt: string | undefined;
  readonly #names = new WriteNames();
  readonly #writes: WriteName[] = [];
  #isCrashed = false;
  #onCrash: () => void = () => undefined;

  /** @param crashAt the name of the write after which the operator crashes, in the format of `writeNameText` */
  constructor(crashAt: string | undefined) {
    this.#crashAt = crashAt;
  }

  get isCrashed(): boolean {
    return this.#isCrashed;
  }

  /** Resolves at the next crash. */
  crashed(): Promise<void> {
    return new Promise((resolve) => {
      this.#onCrash = resolve;
    });
  }
  /** Ends the cuts, for the next instance of the operator. */
  restart(): void {
    this.#isCrashed = false;
  }
  /** Returns the writes since the previous call. */
  take(): readonly WriteName[] {
    return this.#writes.splice(0);
  }

  onRequest(request: PlannedRequest): RequestFault | undefined {
    if (!isOfManager(request.id)) return undefined;
    if (this.#isCrashed) return { kind: 'cut', after: 'none' };
    const write = REPORTING.has(request.resource) ? undefined : this.#names.next(request);
    if (write === undefined) return undefined;
    this.#writes.push(write);
    if (writeNameText(write) !== this.#crashAt) return undefined;
    this.#isCrashed = true;
    this.#onCrash();
    return { kind: 'cut', after: 'write' };
  }
  onWatchEvent(_event: PlannedWatchEvent): WatchFault | undefined {
    return this.#isCrashed ? { kind: 'cut', midEvent: true } : undefined;
  }
}
