import { CelError, NO_OVERLOAD } from './cel-error.js';
import { CelList, type CelValue } from './cel-value.js';
import { checkListSize } from './size-limits.js';
import { equal } from './value-order.js';

/** Whether two lists are equal, element by element. Returns an error if a comparison fails. */
export function listsEqual(a: CelList, b: CelValue): CelValue {
  if (!(b instanceof CelList)) return NO_OVERLOAD;
  if (a.size !== b.size) return false;
  for (let index = 0; index < a.size; index++) {
    const same = equal(a.at(index), b.at(index));
    if (same !== true) return same;
  }
  return true;
}

/** Whether a list has an element that equals the value. Returns an error if no element equals the value and a comparison fails. */
export function listContains(list: CelList, value: CelValue): CelValue {
  if (value instanceof CelError) return value;
  let failure: CelError | undefined;
  for (const element of list) {
    const same = equal(element, value);
    if (same === true) return true;
    if (same instanceof CelError) failure ??= same;
  }
  return failure ?? false;
}

/** A list created by an expression. */
export class ListValue extends CelList {
  readonly elements: readonly CelValue[];

  constructor(elements: readonly CelValue[]) {
    super();
    this.elements = elements;
  }

  get size(): number {
    return this.elements.length;
  }

  at(index: number): CelValue {
    return this.elements[index] ?? null;
  }

  contains(value: CelValue): CelValue {
    return listContains(this, value);
  }

  equals(other: CelValue): CelValue {
    return other instanceof CelList ? listsEqual(this, other) : false;
  }

  concat(other: CelList): CelList {
    checkListSize(this.size + other.size);
    return new ListValue([...this.elements, ...other]);
  }
}
