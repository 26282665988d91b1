import { Ring } from './ring.js';

/** At most one of this many taken items is an overdue item of a lower priority. */
const AGED_SHARE = 10;
/** An empty lane is kept for later items only if the capacity of its ring is at most this number. */
const MAX_SPARE = 1024;

/** An item that waits in a lane. */
export interface Lined<T> {
  /** The lane in which the item waits. Set by `ReadyLanes`. */
  lane: Lane<T> | undefined;
  /** The number of the item in the ring of the lane. Set by `ReadyLanes`. */
  number: number;
  /** When the item became ready. */
  readonly readyAtMs: number;
}
/** The items that have the same priority. */
export interface Lane<T> {
  readonly priority: number;
  readonly ring: Ring<T>;
  waiting: number;
}

/**
 * The items that are ready, with one lane per priority. Items with a higher priority are taken first, and items with the same priority in
 * order of arrival. To prevent starvation, at most one in ten items is instead an item of a lower priority that has waited longer than the
 * starvation limit. If there are several such items, the item that has waited longest is taken.
 */
export class ReadyLanes<T extends Lined<T>> {
  /** The lanes, from the highest to the lowest priority. All lanes except `#empty` contain items. */
  readonly #lanes: Lane<T>[] = [];
  readonly #starvationLimitMs: number;
  #size = 0;
  #takenInOrder = 0;
  /** The lane that became empty last. The lane is kept, so that a queue with few items does not create a lane for each item. */
  #empty: Lane<T> | undefined;

  constructor(starvationLimitMs: number | undefined) {
    this.#starvationLimitMs = starvationLimitMs ?? Number.POSITIVE_INFINITY;
  }

  get size(): number {
    return this.#size;
  }
  /** The number of items for each priority, with the highest priority first. */
  get depths(): ReadonlyMap<number, number> {
    const lanes = this.#lanes.filter(({ waiting }) => waiting > 0);
    return new Map(lanes.map(({ priority, waiting }) => [priority, waiting]));
  }
  /** Adds an item to the end of the lane of a priority. Removes the item from its previous lane. */
  push(item: T, priority: number): void {
    this.#leave(item);
    const lane = this.#lane(priority);
    if (lane === this.#empty) this.#empty = undefined;
    item.number = lane.ring.push(item);
    item.lane = lane;
    lane.waiting++;
    this.#size++;
  }
  /** Removes the next item and returns it. Returns undefined if there are no items. */
  shift(nowMs: number): T | undefined {
    if (this.#size === 0) return undefined;
    const at = this.#lanes[0] === this.#empty ? 1 : 0;
    const item = this.#overdue(at + 1, nowMs) ?? this.#lanes[at]?.ring.first;
    if (item !== undefined) this.#leave(item);
    return item;
  }

  #leave(item: T): void {
    const { lane } = item;
    if (lane === undefined) return;
    lane.ring.remove(item.number);
    item.lane = undefined;
    this.#size--;
    if (--lane.waiting > 0) return;
    if (this.#empty !== undefined) this.#close(this.#empty);
    this.#empty = lane;
    if (lane.ring.capacity > MAX_SPARE) this.#close(lane);
  }
  #close(lane: Lane<T>): void {
    this.#lanes.splice(this.#position(lane.priority), 1);
    this.#empty = undefined;
  }
  #lane(priority: number): Lane<T> {
    const at = this.#position(priority);
    const known = this.#lanes[at];
    if (known?.priority === priority) return known;
    const lane: Lane<T> = { priority, ring: new Ring(), waiting: 0 };
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
   * Returns the item that has waited longest in the lanes from an index on, if this item has waited longer than the starvation limit. At
   * least nine other items are taken before each such item.
   */
  #overdue(from: number, nowMs: number): T | undefined {
    this.#takenInOrder++;
    if (this.#takenInOrder < AGED_SHARE || this.#lanes.length <= from) return undefined;
    let oldest: T | undefined;
    for (let at = from; at < this.#lanes.length; at++) {
      const head = this.#lanes[at]?.ring.first;
      if (head !== undefined && head.readyAtMs < (oldest?.readyAtMs ?? nowMs - this.#starvationLimitMs)) oldest = head;
    }
    if (oldest !== undefined) this.#takenInOrder = 0;
    return oldest;
  }
}
