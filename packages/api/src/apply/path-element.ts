import { KubewrightError } from '../errors/kubewright-error.js';
import { isJsonObject } from '../json/json-object.js';
import { parseJson } from '../json/parse-json.js';
import { stringifyJson } from '../json/stringify-json.js';

/**
 * One step of a path to a field: a named field, a list item with the given keys, a set item with the given value, or an index. `id` is the
 * form in `fieldsV1` (`f:spec`, `k:{"name":"a"}`, `v:"x"`, `i:0`) and the identity of the element.
 */
export interface PathElement {
  readonly id: string;
  readonly rank: 0 | 1 | 2 | 3;
  /** The name of a field. Undefined for other elements. */
  readonly field?: string;
  /** The sorted keys of a list item. */
  readonly keys?: readonly (readonly [string, unknown])[];
  /** The value of a set item, or the index. */
  readonly value?: unknown;
}

/** The path of a field from the root of the object. */
export type Path = readonly PathElement[];

export function fieldElement(name: string): PathElement {
  return { id: `f:${name}`, rank: 0, field: name };
}

/** Returns the element of the list item with the given values of the key fields. The order of `keys` does not matter. */
export function keyElement(keys: Iterable<readonly [string, unknown]>): PathElement {
  const sorted = [...keys];
  if (sorted.length > 1) sorted.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const fields = sorted.map(([name, value]) => `${JSON.stringify(name)}:${stringifyJson(value)}`);
  return { id: `k:{${fields.join(',')}}`, rank: 1, keys: sorted };
}

export function valueElement(value: unknown): PathElement {
  return { id: `v:${stringifyJson(value)}`, rank: 2, value };
}

/** Parses an element in the notation of `fieldsV1`. Throws `KubewrightError` INVALID_MANAGED_FIELDS or INVALID_JSON. */
export function parsePathElement(text: string): PathElement {
  const rest = text.slice(2);
  switch (text.slice(0, 2)) {
    case 'f:':
      return fieldElement(rest);
    case 'v:':
      return valueElement(parseJson(rest));
    case 'k:': {
      const keys = parseJson(rest);
      if (isJsonObject(keys)) return keyElement(Object.entries(keys));
      throw new KubewrightError('INVALID_MANAGED_FIELDS', `the keys of ${text} are not an object`);
    }
    case 'i:':
      if (/^-?[0-9]+$/.test(rest)) return { id: text, rank: 3, value: Number(rest) };
  }
  throw new KubewrightError(
    'INVALID_MANAGED_FIELDS',
    `${JSON.stringify(text)} is not a path element; a path element starts with f:, k:, v: or i:`,
  );
}

/**
 * Compares two elements in the order of `fieldsV1` and of conflicts: named fields, items with keys, set items, indexes. Sorts elements of
 * the same type by name, keys or value.
 */
export function comparePathElements(a: PathElement, b: PathElement): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.keys !== undefined && b.keys !== undefined) return compareKeys(a.keys, b.keys);
  if (a.rank >= 2) return compareScalars(a.value, b.value);
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Returns the ids of elements in sorted order. */
export function sortedIds(elements: readonly PathElement[]): readonly string[] {
  const ids = elements.map(({ id }) => id);
  // Sorting strings without a comparison function is several times faster, and most elements are names of fields.
  return elements.every(({ rank }) => rank === 0)
    ? ids.toSorted()
    : elements.toSorted(comparePathElements).map(({ id }) => id);
}

/** Returns a path in the notation of Kubernetes: `.spec.containers[name="a"].image`. */
export function pathText(path: Path): string {
  return path.map(elementText).join('');
}

/** Returns one element in the notation of Kubernetes. */
export function elementText(element: PathElement): string {
  if (element.field !== undefined) return `.${element.field}`;
  if (element.keys !== undefined)
    return `[${element.keys.map(([name, value]) => `${name}=${stringifyJson(value)}`).join(',')}]`;
  return element.rank === 3 ? `[${element.value}]` : `[=${stringifyJson(element.value)}]`;
}

type Keys = readonly (readonly [string, unknown])[];

function compareKeys(a: Keys, b: Keys): number {
  for (const [at, [name, value]] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    if (name !== other[0]) return name < other[0] ? -1 : 1;
    const order = compareScalars(value, other[1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

const KINDS = ['number', 'bigint', 'string', 'boolean'];

function compareScalars(a: unknown, b: unknown): number {
  if (isNumeric(a) && isNumeric(b)) return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a !== typeof b) return KINDS.indexOf(typeof a) - KINDS.indexOf(typeof b);
  const [left, right] = [stringOf(a), stringOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
