import { Ring } from './ring.js';

/** Of so many keys that are taken one may be one that has waited too long. */
const AGED_SHARE = 10;

/** Something that waits in a line. */
export interface Lined {
  /** The lane in which it waits; the lanes keep it. */
  lane: Lane | undefined;
  /** Since when it has been ready. */
  readonly readyAtMs: number;
}
/** The line of one priority. */
export interface Lane {
  readonly priority: number;
}
/** Something that moved to another lane leaves its slot behind in the ring. */
interface OpenLane<T> extends Lane {
  readonly ring: Ring<T>;
  waiting: number;
}

/**
 * What is ready, in a line for each priority: the highest priority goes first, and within one the order is that of arrival. With a
 * patience nothing starves: one in ten that are taken is the one that has waited longest, if that is longer than the patience.
 */
export class ReadyLanes<T extends Lined> {
  /** From the highest priority to the lowest; none is empty. */
  readonly #lanes: OpenLane<T>[] = [];
  readonly #patienceMs: number;
  #size = 0;
  #takenInOrder = 0;

  constructor(patienceMs: number | undefined) {
    this.#patienceMs = patienceMs ?? Number.POSITIVE_INFINITY;
  }

  get size(): number {
    return this.#size;
  }
  /** How many wait in the line of each priority, the highest first. */
  get depths(): ReadonlyMap<number, number> {
    return new Map(this.#lanes.map(({ priority, waiting }) => [priority, waiting]));
  }
  /** Puts it at the end of the line of a priority, out of that in which it waited. */
  push(item: T, priority: number): void {
    this.#leave(item);
    const lane = this.#lane(priority);
    lane.ring.push(item);
    lane.waiting++;
    this.#size++;
    item.lane = lane;
  }
  /** Takes what is next. */
  shift(nowMs: number): T | undefined {
    const item = this.#overdue(nowMs) ?? first(this.#lanes[0]);
    if (item !== undefined) this.#leave(item);
    return item;
  }

  #leave(item: T): void {
    if (item.lane === undefined) return;
    const at = this.#position(item.lane.priority);
    const lane = this.#lanes[at];
    item.lane = undefined;
    this.#size--;
    if (lane !== undefined && --lane.waiting === 0) this.#lanes.splice(at, 1);
  }
  #lane(priority: number): OpenLane<T> {
    const at = this.#position(priority);
    const known = this.#lanes[at];
    if (known?.priority === priority) return known;
    const lane: OpenLane<T> = { priority, ring: new Ring(), waiting: 0 };
    this.#lanes.splice(at, 0, lane);
    return lane;
  }
  /** Where the lane of a priority is, or would be. */
  #position(priority: number): number {
    let [from, to] = [0, this.#lanes.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#lanes[middle]?.priority ?? priority) > priority) from = middle + 1;
      else to = middle;
    }
    return from;
  }
  /** The one at the head of a lower line that has waited longest, when it is its turn. */
  #overdue(nowMs: number): T | undefined {
    this.#takenInOrder++;
    if (this.#takenInOrder < AGED_SHARE || this.#lanes.length < 2) return undefined;
    let oldest: T | undefined;
    for (const lane of this.#lanes.slice(1)) {
      const head = first(lane);
      if (head !== undefined && head.readyAtMs < (oldest?.readyAtMs ?? nowMs - this.#patienceMs)) oldest = head;
    }
    if (oldest !== undefined) this.#takenInOrder = 0;
    return oldest;
  }
}

/** The head of a line, past the slots of those that left. */
function first<T extends Lined>(lane: OpenLane<T> | undefined): T | undefined {
  if (lane === undefined) return undefined;
  let head = lane.ring.first;
  while (head !== undefined && head.lane !== lane) {
    lane.ring.shift();
    head = lane.ring.first;
  }
  return head;
}
