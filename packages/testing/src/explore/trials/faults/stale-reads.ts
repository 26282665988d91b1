import type { Clock } from '@kubewright/api/clock';
import { compareResourceVersions } from '@kubewright/api/resource-version';
import type { PlannedRequest, PlannedWatchEvent, RequestFault, WatchFault } from '@kubewright/apiserver';
import type { Fault } from './fault.js';

/** The time in milliseconds after a restart for which the API server is behind. */
const BEHIND_MS = 10_000;

/** Answers the requests of a restarted operator from the state of a `StaleReplica`. */
export class StaleReads {
  readonly #change: string | undefined;
  readonly #clock: Clock;
  /** The watches that are already delayed until the API server has caught up. */
  readonly #waiting = new Set<string>();
  #version: string | undefined;
  #untilMs = 0;

  constructor(faults: readonly Fault[], clock: Clock) {
    this.#change = faults.find((fault) => fault.kind === 'stale')?.change;
    this.#clock = clock;
  }

  /** Whether the fault needs the names of changes. */
  get needsNames(): boolean {
    return this.#change !== undefined;
  }
  /** Whether the API server is behind. */
  get isBehind(): boolean {
    return this.#clock.monotonicMs() < this.#untilMs;
  }

  /** Records the resourceVersion of a named change, which identifies the earlier state to return. */
  note(name: string, version: string): void {
    if (name === this.#change) this.#version ??= version;
  }

  /** Starts the time in which the API server is behind, if the change of the fault has happened. Called when the operator starts. */
  onStart(): void {
    if (this.#version === undefined) return;
    this.#untilMs = this.#clock.monotonicMs() + BEHIND_MS;
    this.#waiting.clear();
  }

  onRequest({ verb, query }: PlannedRequest): RequestFault | undefined {
    const version = this.#version;
    if (!this.isBehind || version === undefined) return undefined;
    // A server without streaming lists refuses them as invalid.
    if (verb === 'watch') return query?.has('sendInitialEvents') ? { kind: 'status', code: 422 } : undefined;
    return verb === 'list' && allows(query, version) ? { kind: 'stale', version } : undefined;
  }

  onEvent({ resource, watch }: PlannedWatchEvent, version: string): WatchFault | undefined {
    const known = this.#version;
    if (!this.isBehind || known === undefined || compareResourceVersions(version, known) <= 0) return undefined;
    const key = `${resource} ${watch}`;
    if (this.#waiting.has(key)) return undefined;
    this.#waiting.add(key);
    return { kind: 'delay', ms: this.#untilMs - this.#clock.monotonicMs() };
  }
}

/** Whether a server can answer a list from a watch cache that has reached only this version. */
function allows(query: URLSearchParams | undefined, version: string): boolean {
  const least = query?.get('resourceVersion') ?? '';
  if (least === '' || query?.get('resourceVersionMatch') === 'Exact' || query?.has('continue')) return false;
  if (least === '0') return true;
  // With a limit, the resourceVersion requests exactly this state.
  const isMinimum = query?.get('resourceVersionMatch') === 'NotOlderThan' || !query?.has('limit');
  return isMinimum && compareResourceVersions(least, version) <= 0;
}
