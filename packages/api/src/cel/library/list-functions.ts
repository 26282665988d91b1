import { add } from './arithmetic.js';
import { CelError, NO_OVERLOAD } from '../values/cel-error.js';
import { CelDuration } from '../values/cel-time.js';
import { type CelType, celTypes, listOf, typeParameter } from '../values/cel-type.js';
import { CelList, CelUint, type CelValue } from '../values/cel-value.js';
import { ListValue } from '../values/list-value.js';
import { func, method, type Overload, takes } from '../check/overload.js';
import { checkListSize } from '../values/size-limits.js';
import { runtimeTypeName } from '../values/runtime-type.js';
import { compare, equal, isComparable } from '../values/value-order.js';

const { int, uint, double, bool, string, bytes, duration, timestamp } = celTypes;
const A = typeParameter('A');
const T = typeParameter('T');

/** The types with ordered values, each with its name. */
const COMPARABLE: readonly (readonly [string, CelType])[] = [
  ['int', int],
  ['uint', uint],
  ['double', double],
  ['bool', bool],
  ['duration', duration],
  ['timestamp', timestamp],
  ['string', string],
  ['bytes', bytes],
];

/** Returns the list functions of Kubernetes and the list extensions of CEL. */
export function listOverloads(): readonly Overload[] {
  return [...summaries(), ...searches(), ...slices(), ...sorts()];
}

function summaries(): readonly Overload[] {
  const zeros: readonly (readonly [string, CelType, CelValue])[] = [
    ['int', int, 0n],
    ['uint', uint, new CelUint(0n)],
    ['double', double, 0],
    ['duration', duration, new CelDuration(0n)],
  ];
  return [
    ...COMPARABLE.map(([name, type]) =>
      method([`list_${name}_is_sorted_bool`, 'isSorted'], takes(listOf(type), bool), isSorted),
    ),
    ...zeros.map(([name, type, zero]) =>
      method([`list_${name}_sum_${name}`, 'sum'], takes(listOf(type), type), (list: CelList) => sum(list, zero)),
    ),
    ...COMPARABLE.map(([name, type]) =>
      method([`list_${name}_max_${name}`, 'max'], takes(listOf(type), type), (list: CelList) => pick(list, 'max', -1)),
    ),
    ...COMPARABLE.map(([name, type]) =>
      method([`list_${name}_min_${name}`, 'min'], takes(listOf(type), type), (list: CelList) => pick(list, 'min', 1)),
    ),
  ];
}

function isSorted(list: CelList): CelValue {
  let previous: CelValue | undefined;
  for (const element of list) {
    if (!isComparable(element)) return element instanceof CelError ? element : NO_OVERLOAD;
    const order = previous === undefined ? 0 : compare(previous, element);
    if (typeof order === 'number' && order > 0) return false;
    previous = element;
  }
  return true;
}

function sum(list: CelList, zero: CelValue): CelValue {
  let total = zero;
  for (const element of list) {
    if (element instanceof CelError) return element;
    total = add(total, element);
    if (total instanceof CelError) return total;
  }
  return total;
}

function pick(list: CelList, name: string, comesAfter: number): CelValue {
  let best: CelValue | undefined;
  for (const element of list) {
    if (!isComparable(element)) return element instanceof CelError ? element : NO_OVERLOAD;
    const order = best === undefined ? comesAfter : compare(best, element);
    if (typeof order === 'number' && Math.sign(order) === comesAfter) best = element;
  }
  return best === undefined ? new CelError(`${name} called on empty list`) : best;
}

function searches(): readonly Overload[] {
  const listOfA = listOf(A);
  return [
    method(['list_a_index_of_int', 'indexOf'], takes(listOfA, A, int), (list: CelList, item: CelValue) => {
      for (let index = 0; index < list.size; index++) if (equal(list.at(index), item) === true) return BigInt(index);
      return -1n;
    }),
    method(['list_a_last_index_of_int', 'lastIndexOf'], takes(listOfA, A, int), (list: CelList, item: CelValue) => {
      for (let index = list.size - 1; index >= 0; index--)
        if (equal(list.at(index), item) === true) return BigInt(index);
      return -1n;
    }),
  ];
}

function slices(): readonly Overload[] {
  const listOfT = listOf(T);
  return [
    method(['list_slice', 'slice'], takes(listOfT, int, int, listOfT), slice),
    method(['list_flatten', 'flatten'], takes(listOf(listOfT), listOfT), (list: CelList) => flatten(list, 1n)),
    method(['list_flatten_int', 'flatten'], takes(listOf(celTypes.dyn), int, listOf(celTypes.dyn)), flatten),
    func(['lists_range', 'lists.range'], takes(int, listOf(int)), range),
    method(
      ['list_reverse', 'reverse'],
      takes(listOfT, listOfT),
      (list: CelList) => new ListValue([...list].toReversed()),
    ),
    method(['list_distinct', 'distinct'], takes(listOfT, listOfT), distinct),
  ];
}

function slice(list: CelList, start: bigint, end: bigint): CelValue {
  const at = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return new CelError(`${at}, negative indexes not supported`);
  if (start > end) return new CelError(`${at}, start index must be less than or equal to end index`);
  if (BigInt(list.size) < end) return new CelError(`${at}, list is length ${list.size}`);
  const length = Number(end - start);
  return new ListValue(Array.from({ length }, (_, index) => list.at(Number(start) + index)));
}

function flatten(list: CelList, depth: bigint): CelValue {
  if (depth < 0n) return new CelError('level must be non-negative');
  const flat: CelValue[] = [];
  collect(list, depth, flat);
  return new ListValue(flat);
}

function collect(list: CelList, depth: bigint, flat: CelValue[]): void {
  for (const element of list) {
    if (depth > 0n && element instanceof CelList) collect(element, depth - 1n, flat);
    else flat.push(element);
    checkListSize(flat.length);
  }
}

const LONGEST_RANGE = 1_000_000n;

function range(size: bigint): CelValue {
  // The cost of a longer range exceeds the cost limit of an evaluation.
  const length = Number(size > LONGEST_RANGE ? LONGEST_RANGE : size < 0n ? 0n : size);
  return new ListValue(Array.from({ length }, (_, index) => BigInt(index)));
}

function distinct(list: CelList): CelValue {
  const unique: CelValue[] = [];
  for (const element of list) if (!unique.some((other) => equal(element, other) === true)) unique.push(element);
  return new ListValue(unique);
}

function sorts(): readonly Overload[] {
  const listOfT = listOf(T);
  return COMPARABLE.flatMap(([, type]) => [
    method([`list_${type.name}_sort`, 'sort'], takes(listOf(type), listOf(type)), (list: CelList) =>
      sortBy(list, list),
    ),
    method(
      [`list_${type.name}_sortByAssociatedKeys`, '@sortByAssociatedKeys'],
      takes(listOfT, listOf(type), listOfT),
      sortBy,
    ),
  ]);
}

function sortBy(list: CelList, keyList: CelList): CelValue {
  const elements = [...list];
  const keys = [...keyList];
  const [first] = keys;
  if (first === undefined) return list;
  if (!isComparable(first)) return new CelError('list elements must be comparable');
  const type = runtimeTypeName(first);
  if (keys.some((key) => runtimeTypeName(key) !== type)) return new CelError('list elements must have the same type');
  const order = keys.map((_, index) => index);
  order.sort((a, b) => {
    const difference = compare(keys[a] ?? null, keys[b] ?? null);
    return typeof difference === 'number' ? difference : 0;
  });
  return new ListValue(order.map((index) => elements[index] ?? null));
}
