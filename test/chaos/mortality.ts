import type { FaultPlan, PlannedRequest, PlannedWatchEvent, RequestFault, WatchFault } from '@kubewright/apiserver';

const WRITES = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/**
 * Crashes an operator at chosen writes. The server executes or drops such a write, but never answers it. After a crash, all connections and
 * requests of the operator are cut until `revive` reports that a new operator runs.
 */
export class Mortality implements FaultPlan {
  readonly #faults: FaultPlan;
  readonly #deaths: readonly { readonly atWrite: number; readonly done: boolean }[];
  readonly #onDeath: () => void;
  #writes = 0;
  #died = 0;
  #dead = false;
  #spared = false;

  constructor(
    faults: FaultPlan,
    deaths: readonly { readonly atWrite: number; readonly done: boolean }[],
    onDeath: () => void,
  ) {
    this.#faults = faults;
    this.#deaths = deaths;
    this.#onDeath = onDeath;
  }

  get dead(): boolean {
    return this.#dead;
  }
  revive(): void {
    this.#dead = false;
  }
  /** Prevents further crashes. An operator that has already crashed stays blocked until `revive`. */
  spare(): void {
    this.#spared = true;
  }

  onRequest(request: PlannedRequest): RequestFault | undefined {
    if (this.#dead) return { kind: 'cut', after: 'none' };
    if (WRITES.has(request.verb) && request.resource !== 'events') this.#writes++;
    const death = this.#deaths[this.#died];
    if (this.#spared || death === undefined || this.#writes < death.atWrite) return this.#faults.onRequest?.(request);
    this.#dead = true;
    this.#died++;
    this.#onDeath();
    return { kind: 'cut', after: death.done && WRITES.has(request.verb) ? 'write' : 'none' };
  }

  onWatchEvent(event: PlannedWatchEvent): WatchFault | undefined {
    return this.#dead ? { kind: 'cut', midEvent: true } : this.#faults.onWatchEvent?.(event);
  }
}
