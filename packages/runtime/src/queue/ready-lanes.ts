import { Ring } from './ring.js';

/** At most one of this many taken items is an overdue item of a lower priority. */
const AGED_SHARE = 10;
/** The maximum capacity of a ring that is kept for the next lane. */
const MAX_SPARE = 1024;

/** An item that waits in a lane. */
export interface Lined {
  /** The lane in which the item waits. Set by `ReadyLanes`. */
  lane: Lane | undefined;
  /** When the item became ready. */
  readonly readyAtMs: number;
}
/** The items that have the same priority. */
export interface Lane {
  readonly priority: number;
}
/** A lane with its items. If an item moves to another lane, its slot in the ring of this lane remains. */
interface OpenLane<T> extends Lane {
  readonly ring: Ring<T>;
  waiting: number;
}

/**
 * The items that are ready, with one lane per priority. Items with a higher priority are taken first, and items with the same priority in
 * order of arrival. To prevent starvation, at most one in ten items is instead an item of a lower priority that has waited longer than the
 * starvation limit. If there are several such items, the item that has waited longest is taken.
 */
export class ReadyLanes<T extends Lined> {
  /** The lanes that contain items, from the highest to the lowest priority. */
  readonly #lanes: OpenLane<T>[] = [];
  readonly #starvationLimitMs: number;
  #size = 0;
  #takenInOrder = 0;
  /** The ring of the last lane that became empty, so that a queue with few items does not create a ring for each item. */
  #spare: Ring<T> | undefined;

  constructor(starvationLimitMs: number | undefined) {
    this.#starvationLimitMs = starvationLimitMs ?? Number.POSITIVE_INFINITY;
  }

  get size(): number {
    return this.#size;
  }
  /** The number of items for each priority, with the highest priority first. */
  get depths(): ReadonlyMap<number, number> {
    return new Map(this.#lanes.map(({ priority, waiting }) => [priority, waiting]));
  }
  /** Adds an item to the end of the lane of a priority. Removes the item from its previous lane. */
  push(item: T, priority: number): void {
    this.#leave(item);
    const lane = this.#lane(priority);
    lane.ring.push(item);
    lane.waiting++;
    this.#size++;
    item.lane = lane;
  }
  /** Removes the next item and returns it. Returns undefined if there are no items. */
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
    if (lane === undefined || --lane.waiting > 0) return;
    this.#lanes.splice(at, 1);
    this.#spare = emptied(lane.ring);
  }
  #lane(priority: number): OpenLane<T> {
    const at = this.#position(priority);
    const known = this.#lanes[at];
    if (known?.priority === priority) return known;
    const lane: OpenLane<T> = { priority, ring: this.#spare ?? new Ring(), waiting: 0 };
    this.#spare = undefined;
    this.#lanes.splice(at, 0, lane);
    return lane;
  }
  /** Returns the index of the lane of a priority. If there is no such lane, returns the index at which to insert it. */
  #position(priority: number): number {
    let [from, to] = [0, this.#lanes.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#lanes[middle]?.priority ?? priority) > priority) from = middle + 1;
      else to = middle;
    }
    return from;
  }
  /**
   * Returns the item of a lower priority that has waited longest, if this item has waited longer than the starvation limit. At least nine
   * other items are taken before each such item.
   */
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

/**
 * Removes the slots of moved items from a ring that no longer contains waiting items. Returns the ring, or undefined if it is too large to
 * keep.
 */
function emptied<T>(ring: Ring<T>): Ring<T> | undefined {
  if (ring.capacity > MAX_SPARE) return undefined;
  while (ring.size > 0) ring.shift();
  return ring;
}
/** Returns the first item of a lane. Removes the slots of items that have moved to another lane. */
function first<T extends Lined>(lane: OpenLane<T> | undefined): T | undefined {
  if (lane === undefined) return undefined;
  let head = lane.ring.first;
  while (head !== undefined && head.lane !== lane) {
    lane.ring.shift();
    head = lane.ring.first;
  }
  return head;
}
