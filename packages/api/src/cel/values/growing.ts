import { CelList, type CelValue } from './cel-value.js';
import { listContains, ListValue, listsEqual } from './list-value.js';

/**
 * The list in which a macro accumulates its result. `concat` changes this list instead of copying it, because no other expression refers to
 * it.
 */
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

  /** Returns the accumulated list. `concat` must not be called afterwards. */
  finished(): ListValue {
    return new ListValue(this.#elements);
  }
}
