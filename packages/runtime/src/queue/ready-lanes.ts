import { Ring } from './ring.js';

/** At most one in this number of taken keys is an overdue key of a lower priority. */
const AGED_SHARE = 10;

/** An item that waits in a lane. */
export interface Lined {
  /** The lane of the item, maintained by the lanes. */
  lane: Lane | undefined;
  /** The time when the item became ready. */
  readonly readyAtMs: number;
}
/** The queue of one priority. */
export interface Lane {
  readonly priority: number;
}
/** A lane with its items. An item that moves to another lane leaves an unused slot in the ring. */
interface OpenLane<T> extends Lane {
  readonly ring: Ring<T>;
  waiting: number;
}

/**
 * Ready items in one lane per priority. Serves the highest priority first, and items of one priority in order of arrival. A starvation
 * limit prevents starvation: at most one in ten items is the longest-waiting item of the lower priorities, if it has waited longer than the
 * limit.
 */
export class ReadyLanes<T extends Lined> {
  /** The lanes from the highest to the lowest priority, without empty lanes. */
  readonly #lanes: OpenLane<T>[] = [];
  readonly #starvationLimitMs: number;
  #size = 0;
  #takenInOrder = 0;

  constructor(starvationLimitMs: number | undefined) {
    this.#starvationLimitMs = starvationLimitMs ?? Number.POSITIVE_INFINITY;
  }

  get size(): number {
    return this.#size;
  }
  /** The number of waiting items per priority, highest first. */
  get depths(): ReadonlyMap<number, number> {
    return new Map(this.#lanes.map(({ priority, waiting }) => [priority, waiting]));
  }
  /** Moves the item to the end of the lane of a priority. */
  push(item: T, priority: number): void {
    this.#leave(item);
    const lane = this.#lane(priority);
    lane.ring.push(item);
    lane.waiting++;
    this.#size++;
    item.lane = lane;
  }
  /** Removes and returns the next item. */
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
  /** Returns the index of the lane of a priority, or the index at which to insert the lane. */
  #position(priority: number): number {
    let [from, to] = [0, this.#lanes.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#lanes[middle]?.priority ?? priority) > priority) from = middle + 1;
      else to = middle;
    }
    return from;
  }
  /** Returns the longest-waiting item of the lower lanes if the starvation limit applies to it now. */
  #overdue(nowMs: number): T | undefined {
    this.#takenInOrder++;
    if (this.#takenInOrder < AGED_SHARE || this.#lanes.length < 2) return undefined;
    let oldest: T | undefined;
    for (const lane of this.#lanes.slice(1)) {
      const head = first(lane);
      if (head !== undefined && head.readyAtMs < (oldest?.readyAtMs ?? nowMs - this.#starvationLimitMs)) oldest = head;
    }
    if (oldest !== undefined) this.#takenInOrder = 0;
    return oldest;
  }
}

/** Returns the first item of a lane. Skips slots of items that moved to another lane. */
function first<T extends Lined>(lane: OpenLane<T> | undefined): T | undefined {
  if (lane === undefined) return undefined;
  let head = lane.ring.first;
  while (head !== undefined && head.lane !== lane) {
    lane.ring.shift();
    head = lane.ring.first;
  }
  return head;
}
