import { matchingWork, MOST_PATTERN_WEIGHT } from '../../schema/go-pattern.js';
import { patternWeight } from '../../schema/pattern-weight.js';
import { CHECK_INTERVAL, MOST_WORK } from '../../schema/time-limit.js';
import { CelList, CelMap, type CelValue, isOpaque } from '../values/cel-value.js';

/** Estimates the duration of a call from its arguments, in units of about 30 ns. */
export type CallWork = (args: readonly CelValue[]) => number;

/** The work that is assumed for a value of unknown size. After this amount of work, a brief evaluation checks the clock. */
const UNKNOWN = CHECK_INTERVAL;

/** Operators on scalars, and functions whose duration is constant or proportional to their cost. */
const CHEAP =
  /^(_[-*/%]_|-_|!_|_[<>]=?_|startsWith|endsWith|type|dyn|bool|first|last|value|hasValue|optional\.(of|none))$/;

const CHEAP_OVERLOAD = /^(add_(?!list|bytes).*|size_list|list_size)$/;

const small: CallWork = (args) => {
  let work = 0;
  for (const arg of args) work += extent(arg);
  return work;
};

function extent(value: CelValue | undefined): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  if (value instanceof CelList) return value.size + UNKNOWN;
  if (value instanceof CelMap || !isOpaque(value)) return UNKNOWN;
  return UNKNOWN + ('text' in value && typeof value.text === 'string' ? LINKED * value.text.length : 0);
}

/** The work for a value within a list or a map. */
const VALUE = 10;
/** The work for a character of a URL. */
const LINKED = 10;

const whole: CallWork = (args) => {
  let work = UNKNOWN;
  for (const arg of args) work += comparisonWork(arg);
  return work;
};

/** Returns the work to visit all nested values of a value, for example to compare the value. Returns 0 for a scalar. */
export function comparisonWork(value: CelValue): number {
  return value instanceof CelList || value instanceof CelMap ? CHECK_INTERVAL + weight(value, MOST_WORK) : 0;
}

/** Returns the work for all values and characters within a value. Stops when the sum reaches `most`, so a larger work is not exact. */
function weight(value: CelValue, most: number): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return VALUE + value.length;
  if (!(value instanceof CelList || value instanceof CelMap)) return VALUE;
  let sum = VALUE + VALUE * value.size;
  if (sum >= most) return sum;
  for (const child of value instanceof CelList ? value : value.keys()) {
    sum += weight(child, most - sum);
    if (value instanceof CelMap) sum += weight(value.find(child) ?? null, most - sum);
    if (sum >= most) break;
  }
  return sum;
}

const searching: CallWork = ([text, part]) => extent(text) * (2 + extent(part) / 16);

const replacing: CallWork = ([text, old, by]) => {
  const length = extent(text);
  return searching([text ?? null, old ?? null]) + (length / Math.max(1, extent(old))) * extent(by);
};

/** The work to compile a pattern, per unit of its weight. */
const COMPILING = 60;

/** Returns the work of a call whose pattern is not a constant. Such a call also compiles its pattern. */
const matching: CallWork = ([text, pattern]) => {
  // A longer pattern is rejected without computing its weight.
  const size = typeof pattern === 'string' && pattern.length <= MOST_PATTERN_WEIGHT ? patternWeight(pattern) : 0;
  return COMPILING * size + matchingWork(extent(text), size);
};

const joining: CallWork = ([list, separator]) => {
  return comparisonWork(list ?? null) + (list instanceof CelList ? list.size : 0) * extent(separator);
};

const pairing: CallWork = ([a, b]) => {
  return a instanceof CelList && b instanceof CelList ? UNKNOWN + a.size * b.size : 0;
};

const adding: CallWork = (args) => (args[0] instanceof CelList || args[0] instanceof Uint8Array ? small(args) : 0);

const containing: CallWork = ([text, part]) => extent(text) * (0.1 + extent(part) / 500);

const validating: CallWork = ([, text]) => 4 * extent(text);

const sizing: CallWork = ([value]) => (value instanceof CelList ? 0 : extent(value));

const SPECIAL: ReadonlyMap<string, CallWork> = new Map<string, CallWork>([
  ...['format', 'isSorted', 'min', 'max', 'sort', '@sortByAssociatedKeys', 'flatten'].map(
    (name) => [name, whole] as const,
  ),
  ...['matches', 'find', 'findAll'].map((name) => [name, matching] as const),
  ...['sets.contains', 'sets.intersects', 'sets.equivalent'].map((name) => [name, pairing] as const),
  ...['indexOf', 'lastIndexOf', 'split'].map((name) => [name, searching] as const),
  ['_+_', adding],
  ['contains', containing],
  ['distinct', ([list]) => pairing([list ?? null, list ?? null])],
  ['join', joining],
  ['lists.range', ([size]) => (typeof size === 'bigint' ? VALUE * Number(size) : 0)],
  ['url', ([text]) => LINKED * extent(text)],
  ['isURL', ([text]) => LINKED * extent(text)],
  ['replace', replacing],
  ['size', sizing],
  ['validate', validating],
]);

/** Returns the work function of a call, or undefined if the duration of every call is short or proportional to its cost. */
export function callWork(name: string, id: string): CallWork | undefined {
  if (CHEAP.test(name) || CHEAP_OVERLOAD.test(id)) return undefined;
  return SPECIAL.get(name) ?? small;
}

/** Returns the work function of a call with a constant pattern whose program has the given size. */
export function patternWork(size: number): CallWork {
  return ([text]) => matchingWork(extent(text), size);
}
