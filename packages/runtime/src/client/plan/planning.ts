import type { KindRef } from '@kubewright/api';
import type { PlannedEvent, PlannedWrite } from './planned-write.js';

const PLANNING_KEY = Symbol.for('kubewright.planning');

/** The planned writes and events of a process or a manager. While a plan is active, all connections send only reads and reviews. */
export class Planning {
  readonly #writes: PlannedWrite[] = [];
  readonly #events: PlannedEvent[] = [];
  readonly #kinds = new Set<KindRef>();

  /** The planned writes in the order in which the program requested them. */
  get writes(): readonly PlannedWrite[] {
    return this.#writes;
  }
  get events(): readonly PlannedEvent[] {
    return this.#events;
  }
  /** The kinds whose schemas the plan uses. */
  get kinds(): readonly KindRef[] {
    return [...this.#kinds];
  }

  /** Adds kinds, so that the plan can use their schemas. */
  meet(kinds: Iterable<KindRef>): void {
    for (const kind of kinds) this.#kinds.add(kind);
  }
  /** Discards the recorded writes and events. */
  forget(): void {
    this.#writes.length = 0;
    this.#events.length = 0;
  }
  noteWrite(write: PlannedWrite): void {
    this.#writes.push(write);
  }
  noteEvent(event: PlannedEvent): void {
    this.#events.push(event);
  }
}

/**
 * Turns on planning for this process: every connection that is created later sends only reads and reviews. Tools use this function to run
 * another program without effects and to show the writes of the program. Every call returns the same record of the planned writes.
 */
export function startPlanning(): Planning {
  const process = globalThis as { [PLANNING_KEY]?: Planning };
  process[PLANNING_KEY] ??= new Planning();
  return process[PLANNING_KEY];
}

/** Returns the plan of this process. Returns undefined if the process sends writes. */
export function currentPlanning(): Planning | undefined {
  return (globalThis as { readonly [PLANNING_KEY]?: Planning })[PLANNING_KEY];
}
