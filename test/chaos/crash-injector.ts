import type { FaultPlan, PlannedRequest, PlannedWatchEvent, RequestFault, WatchFault } from '@kubewright/apiserver';
import { type WriteName, WriteNames, writeNameText } from '@kubewright/testing';
import { type CrashPoint, crashText } from './crash-point.js';

/**
 * Crashes an operator at chosen writes. The server executes or drops such a write, but never answers it. After a crash, all connections and
 * requests of the operator are cut until `restart` reports that a new operator runs.
 */
export class CrashInjector implements FaultPlan {
  readonly #faults: FaultPlan;
  readonly #crashPoints: readonly CrashPoint[];
  readonly #onCrash: () => void;
  readonly #names = new WriteNames();
  readonly #crashes: string[] = [];
  #writes = 0;
  #crashCount = 0;
  #isCrashed = false;
  #isDisabled = false;

  /** @param crashPoints the crashes in order. A crash point with a number is the n-th write or, if there was another crash, a later request. */
  constructor(faults: FaultPlan, crashPoints: readonly CrashPoint[], onCrash: () => void) {
    this.#faults = faults;
    this.#crashPoints = crashPoints;
    this.#onCrash = onCrash;
  }

  get isCrashed(): boolean {
    return this.#isCrashed;
  }
  /** The crashes at writes, in the format of `crashText`. Omits crashes at reads. */
  get crashes(): readonly string[] {
    return this.#crashes;
  }
  restart(): void {
    this.#isCrashed = false;
  }
  /** Prevents further crashes. An operator that has already crashed stays blocked until `restart`. */
  disable(): void {
    this.#isDisabled = true;
  }

  onRequest(request: PlannedRequest): RequestFault | undefined {
    if (this.#isCrashed) return { kind: 'cut', after: 'none' };
    const write = request.resource === 'events' ? undefined : this.#names.next(request);
    if (write !== undefined) this.#writes++;
    const crashPoint = this.#crashPoints[this.#crashCount];
    if (this.#isDisabled || crashPoint === undefined || !this.#isReached(crashPoint, write))
      return this.#faults.onRequest?.(request);
    this.#isCrashed = true;
    this.#crashCount++;
    const { done } = crashPoint;
    if (write !== undefined) this.#crashes.push(crashText(done, write));
    this.#onCrash();
    return { kind: 'cut', after: done && write !== undefined ? 'write' : 'none' };
  }

  onWatchEvent(event: PlannedWatchEvent): WatchFault | undefined {
    return this.#isCrashed ? { kind: 'cut', midEvent: true } : this.#faults.onWatchEvent?.(event);
  }

  #isReached(crashPoint: CrashPoint, write: WriteName | undefined): boolean {
    if ('atWrite' in crashPoint) return this.#writes >= crashPoint.atWrite;
    return write !== undefined && writeNameText(write) === writeNameText(crashPoint.write);
  }
}
