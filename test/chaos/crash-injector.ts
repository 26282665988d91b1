import type { FaultPlan, PlannedRequest, PlannedWatchEvent, RequestFault, WatchFault } from '@kubewright/apiserver';

const WRITES = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/**
 * Crashes an operator at chosen writes. The server executes or drops such a write, but never answers it. After a crash, all connections and
 * requests of the operator are cut until `restart` reports that a new operator runs.
 */
export class CrashInjector implements FaultPlan {
  readonly #faults: FaultPlan;
  readonly #crashPoints: readonly { readonly atWrite: number; readonly done: boolean }[];
  readonly #onCrash: () => void;
  #writes = 0;
  #crashCount = 0;
  #isCrashed = false;
  #isDisabled = false;

  constructor(
    faults: FaultPlan,
    crashPoints: readonly { readonly atWrite: number; readonly done: boolean }[],
    onCrash: () => void,
  ) {
    this.#faults = faults;
    this.#crashPoints = crashPoints;
    this.#onCrash = onCrash;
  }

  get isCrashed(): boolean {
    return this.#isCrashed;
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
    if (WRITES.has(request.verb) && request.resource !== 'events') this.#writes++;
    const crashPoint = this.#crashPoints[this.#crashCount];
    if (this.#isDisabled || crashPoint === undefined || this.#writes < crashPoint.atWrite)
      return this.#faults.onRequest?.(request);
    this.#isCrashed = true;
    this.#crashCount++;
    this.#onCrash();
    return { kind: 'cut', after: crashPoint.done && WRITES.has(request.verb) ? 'write' : 'none' };
  }

  onWatchEvent(event: PlannedWatchEvent): WatchFault | undefined {
    return this.#isCrashed ? { kind: 'cut', midEvent: true } : this.#faults.onWatchEvent?.(event);
  }
}
