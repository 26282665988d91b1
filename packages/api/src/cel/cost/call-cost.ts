import { CelList, CelMap, CelOptional, type CelValue, isOpaque } from '../values/cel-value.js';
import { NamedFormat } from '../library/format-functions.js';
import { textLength } from '../library/standard-functions.js';

/** Returns the cost of a call from its arguments and its result. */
export type CallCost = (args: readonly CelValue[], result: CelValue) => number;

const TRAVERSAL = 0.1;
const PATTERN = 0.25;

/** Returns the size of a value for cost computations. */
export function costSize(value: CelValue | undefined): number {
  if (typeof value === 'string') return textLength(value);
  if (value instanceof CelList || value instanceof CelMap) return value.size;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof CelOptional) return value.value === undefined ? 1 : costSize(value.value);
  if (value === undefined || value === null || typeof value !== 'object') return 1;
  return isOpaque(value) ? (value.costSize ?? 1) : 1;
}

function traversing(times = 1): CallCost {
  return ([first]) => Math.ceil(costSize(first) * times * TRAVERSAL);
}

const ONE: CallCost = () => 1;

const eachElement: CallCost = ([list]) => traversal(list);

function traversal(value: CelValue | undefined): number {
  if (typeof value === 'string') return Math.floor(Buffer.byteLength(value) * TRAVERSAL);
  if (value instanceof Uint8Array) return Math.floor(value.length * TRAVERSAL);
  if (value instanceof CelList) return [...value].reduce<number>((sum, element) => sum + traversal(element), 0);
  if (!(value instanceof CelMap)) return 1;
  let sum = 0;
  for (const key of value.keys()) sum += traversal(key) + traversal(value.find(key));
  return sum;
}

const matching: CallCost = ([text, pattern]) =>
  Math.ceil((1 + costSize(text)) * TRAVERSAL) * Math.ceil(costSize(pattern) * PATTERN);

const smaller: CallCost = ([a, b]) => {
  if (a !== undefined && a !== null && typeof a === 'object' && isOpaque(a)) return 1;
  return Math.ceil(Math.min(costSize(a), costSize(b)) * TRAVERSAL);
};

function allocating(factor: (args: readonly CelValue[]) => number, size: CallCost): CallCost {
  return (args, result) => Math.floor(size(args, result) * factor(args)) + 1 + 10;
}

function comparingAll(index: number): CallCost {
  return (args) => {
    const list = args[index];
    if (!(list instanceof CelList)) return 1;
    const first = list.size === 0 ? undefined : list.at(0);
    const factor = typeof first === 'string' || first instanceof Uint8Array ? 2 + TRAVERSAL : 2;
    return Math.floor(list.size * list.size * factor) + 1 + 10;
  };
}

function pairs(factor: number): CallCost {
  return ([a, b]) => 1 + Math.floor(costSize(a) * costSize(b) * factor);
}

function containing(what: 'ip' | 'cidr', parsed: boolean): CallCost {
  return ([network, other]) => {
    const size = costSize(network);
    const compared = Math.ceil(2 * size * TRAVERSAL);
    const masked = what === 'ip' ? 0 : Math.ceil(size * TRAVERSAL) + 1;
    return compared + masked + (parsed ? Math.ceil(costSize(other) * TRAVERSAL) : 0);
  };
}

const validating: CallCost = ([format, text]) => {
  const length = format instanceof NamedFormat ? format.patternLength : 0;
  return Math.ceil((1 + costSize(text)) * TRAVERSAL) * Math.ceil(length * PATTERN);
};

/** Returns the cost of an authorization check. The cost limit of an expression permits two checks. */
const checking: CallCost = () => 350_000;

const REQUIREMENT = 50;

/** Returns the cost of parsing a selector and of creating a list with about one requirement for two characters. */
const selecting: CallCost = ([, selector]) => {
  const size = costSize(selector);
  return 10 + Math.ceil(size * TRAVERSAL) + Math.ceil(Math.ceil(size * 0.5) * REQUIREMENT);
};

const joining: CallCost = (_args, result) => Math.ceil(costSize(result) * 2 * TRAVERSAL);

const slicing = allocating(
  () => 1,
  (_args, result) => costSize(result),
);

const BY_NAME: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ...['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map((name) => [name, eachElement] as const),
  ...['url', 'lowerAscii', 'upperAscii', 'substring', 'trim'].map((name) => [name, traversing()] as const),
  ...['cidr', 'isIP', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver'].map(
    (name) => [name, traversing()] as const,
  ),
  ...['replace', 'split', 'ip.isCanonical'].map((name) => [name, traversing(2)] as const),
  ['check', checking],
  ['fieldSelector', selecting],
  ['labelSelector', selecting],
  ['jsonpatch.escapeKey', traversing()],
  ['join', joining],
  ['find', matching],
  ['findAll', matching],
  ['matches', matching],
  ['validate', validating],
  ['_==_', smaller],
  ['_!=_', smaller],
]);

const BY_ID: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['string_to_ip', traversing()],
  ['cidr_contains_ip_string', containing('ip', true)],
  ['cidr_contains_ip_ip', containing('ip', false)],
  ['cidr_contains_cidr_string', containing('cidr', true)],
  ['cidr_contains_cidr', containing('cidr', false)],
  ['list_slice', slicing],
  [
    'lists_range',
    allocating(
      () => 1,
      ([size]) => (typeof size === 'bigint' && size > 0n ? Number(size) : 0),
    ),
  ],
  [
    'list_reverse',
    allocating(
      () => 1,
      ([list]) => costSize(list),
    ),
  ],
  [
    'list_flatten',
    allocating(
      () => 1,
      ([list]) => costSize(list),
    ),
  ],
  [
    'list_flatten_int',
    allocating(
      ([, depth]) => Number(depth),
      ([list]) => costSize(list),
    ),
  ],
  ['list_distinct', comparingAll(0)],
  ['list_sets_contains_list', pairs(1)],
  ['list_sets_intersects_list', pairs(1)],
  ['list_sets_equivalent_list', pairs(2)],
  ...['starts_with_string', 'ends_with_string'].map((id) => [id, traversing()] as const),
  ...['string_to_bytes', 'bytes_to_string', 'strings_quote', 'string_format'].map((id) => [id, traversing()] as const),
  ['in_list', ([, list]) => costSize(list)],
  ['add_string', ([a, b]) => Math.ceil((costSize(a) + costSize(b)) * TRAVERSAL)],
  ['add_bytes', ([a, b]) => Math.ceil((costSize(a) + costSize(b)) * TRAVERSAL)],
  ['contains_string', ([a, b]) => Math.ceil(costSize(a) * TRAVERSAL) * Math.ceil(costSize(b) * TRAVERSAL)],
]);

const ORDERED_TEXT = /^(less|less_equals|greater|greater_equals)_(string|bytes)$/;
const SORTED = /^list_.*_(sort|sortByAssociatedKeys)$/;

/** Returns the cost function of a call. `id` is '' if the overload is known only at run time. */
export function callCost(name: string, id: string): CallCost {
  const known = BY_ID.get(id) ?? BY_NAME.get(name);
  if (known !== undefined) return known;
  if (ORDERED_TEXT.test(id)) return smaller;
  const sorted = SORTED.exec(id)?.[1];
  return sorted === undefined ? ONE : comparingAll(sorted === 'sort' ? 0 : 1);
}

/**
 * Whether the cost depends on the result. All other costs are charged before the call, so that the call is not made if its cost exceeds the
 * limit.
 */
export function dependsOnResult(cost: CallCost): boolean {
  return cost === joining || cost === slicing;
}

/** Whether every call of an overload costs 1. */
export function costsOne(cost: CallCost): boolean {
  return cost === ONE;
}
