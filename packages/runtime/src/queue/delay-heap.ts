const ARITY = 4;

/** An item with a due time. `position` is the index of the item in the heap, or -1 if it is in no heap. */
export interface Waiting {
  readonly dueMs: number;
  /** Determines the order of items with the same due time. Lower numbers are first. */
  readonly sequence: number;
  position: number;
}

/** A heap of items whose first item is due earliest. */
export class DelayHeap<T extends Waiting> {
  readonly #items: T[] = [];

  get size(): number {
    return this.#items.length;
  }
  get first(): T | undefined {
    return this.#items[0];
  }
  push(item: T): void {
    this.#items.push(item);
    this.#up(item, this.#items.length - 1);
  }
  /** Removes an item. Does nothing if the heap does not contain the item. */
  remove(item: T): void {
    const { position } = item;
    if (position < 0) return;
    item.position = -1;
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    this.#up(last, position);
    this.#down(last, last.position);
  }
  clear(): void {
    for (const item of this.#items) item.position = -1;
    this.#items.length = 0;
  }

  #up(item: T, from: number): void {
    let at = from;
    while (at > 0) {
      const parentAt = Math.floor((at - 1) / ARITY);
      const parent = this.#items[parentAt];
      if (parent === undefined || !isBefore(item, parent)) break;
      this.#place(parent, at);
      at = parentAt;
    }
    this.#place(item, at);
  }
  #down(item: T, from: number): void {
    let at = from;
    for (;;) {
      const child = this.#earliestChild(at);
      if (child === undefined || !isBefore(child, item)) break;
      const childAt = child.position;
      this.#place(child, at);
      at = childAt;
    }
    this.#place(item, at);
  }
  #earliestChild(at: number): T | undefined {
    const start = at * ARITY + 1;
    let earliest = this.#items[start];
    for (let childAt = start + 1; childAt < start + ARITY; childAt++) {
      const child = this.#items[childAt];
      if (child === undefined) break;
      if (earliest === undefined || isBefore(child, earliest)) earliest = child;
    }
    return earliest;
  }
  #place(item: T, at: number): void {
    this.#items[at] = item;
    item.position = at;
  }
}

function isBefore(a: Waiting, b: Waiting): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.sequence < b.sequence);
}
