import type { KindRef } from '@kubewright/api';
import type { PlannedEvent, PlannedWrite } from './planned-write.js';

const DOOR = Symbol.for('kubewright.planning');

/** What the writes of a process, or of a manager, would have been: whoever connects under it sends nothing but reads. */
export class Planning {
  readonly #writes: PlannedWrite[] = [];
  readonly #events: PlannedEvent[] = [];
  readonly #kinds = new Set<KindRef>();

  /** In the order in which they were made. */
  get writes(): readonly PlannedWrite[] {
    return this.#writes;
  }
  get events(): readonly PlannedEvent[] {
    return this.#events;
  }
  /** The kinds of which the schemas are known here. */
  get kinds(): readonly KindRef[] {
    return [...this.#kinds];
  }

  /** Makes the schemas of kinds known. */
  meet(kinds: Iterable<KindRef>): void {
    for (const kind of kinds) this.#kinds.add(kind);
  }
  /** Forgets what was noted so far. */
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
 * From now on no connection that is made in this process sends anything but reads, whoever makes it: for tools that run the program of
 * somebody else to see what it would write. Returns where it is noted; every call gives the same.
 */
export function startPlanning(): Planning {
  const process = globalThis as { [DOOR]?: Planning };
  process[DOOR] ??= new Planning();
  return process[DOOR];
}

/** What was started in this process; undefined where writes are sent. */
export function currentPlanning(): Planning | undefined {
  return (globalThis as { readonly [DOOR]?: Planning })[DOOR];
}
