import type { KindRef } from '@kubewright/api';
import type { PlannedEvent, PlannedWrite } from './planned-write.js';

const DOOR = Symbol.for('kubewright.planning');

/** The record of planned writes and events of a process or a manager. All connections under a plan send only reads. */
export class Planning {
  readonly #writes: PlannedWrite[] = [];
  readonly #events: PlannedEvent[] = [];
  readonly #kinds = new Set<KindRef>();

  /** The planned writes, in the order of the calls. */
  get writes(): readonly PlannedWrite[] {
    return this.#writes;
  }
  get events(): readonly PlannedEvent[] {
    return this.#events;
  }
  /** The kinds whose schemas are known. */
  get kinds(): readonly KindRef[] {
    return [...this.#kinds];
  }

  /** Adds the schemas of kinds. */
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
 * Makes every later connection of this process send only reads, regardless of the code that creates the connection. Tools use this function
 * to run another program and see its writes. Returns the record of the plan; every call returns the same record.
 */
export function startPlanning(): Planning {
  const process = globalThis as { [DOOR]?: Planning };
  process[DOOR] ??= new Planning();
  return process[DOOR];
}

/** Returns the plan of this process; undefined if the process sends writes. */
export function currentPlanning(): Planning | undefined {
  return (globalThis as { readonly [DOOR]?: Planning })[DOOR];
}
