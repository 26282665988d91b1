import type { CelValue } from './cel-value.js';
import { CelList } from './collections.js';
import { listContains, ListValue, listsEqual } from './list-value.js';

/** The list that a macro collects into: joining another list to it adds to it, which no expression can observe. */
export class GrowingList extends CelList {
  readonly #elements: CelValue[] = [];

  get size(): number {
    return this.#elements.length;
  }

  at(index: number): CelValue {
    return this.#elements[index] ?? null;
  }

  contains(value: CelValue): CelValue {
    return listContains(this, value);
  }

  equals(other: CelValue): CelValue {
    return listsEqual(this, other);
  }

  concat(other: CelList): CelList {
    for (const element of other) this.#elements.push(element);
    return this;
  }

  /** The list as it is now, which nothing changes any more. */
  finished(): ListValue {
    return new ListValue(this.#elements);
  }
}
