import { CelError } from './cel-error.js';
import { CelList, CelMap, type CelValue } from './cel-value.js';
import { listContains, listsEqual, ListValue } from './list-value.js';
import { equal } from './value-order.js';
import { checkListSize } from './size-limits.js';

/**
 * Converts a JSON value to a CEL value without a schema: whole numbers to int, other numbers to double. Nested values are converted when an
 * expression reads them. `undefined` becomes null.
 */
export function readJson(raw: unknown): CelValue {
  switch (typeof raw) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return raw;
    case 'number':
      return Number.isInteger(raw) ? BigInt(raw) : raw;
    default:
      if (Array.isArray(raw)) return new JsonListValue(raw);
      return typeof raw === 'object' && raw !== null ? new JsonMapValue(raw as Record<string, unknown>) : null;
  }
}

/** An object of a request, as a map with keys of type string. */
class JsonMapValue extends CelMap {
  readonly #raw: Readonly<Record<string, unknown>>;

  constructor(raw: Readonly<Record<string, unknown>>) {
    super();
    this.#raw = raw;
  }

  get size(): number {
    return Object.keys(this.#raw).length;
  }

  find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.#raw, key)) return undefined;
    const raw = this.#raw[key];
    return raw === undefined ? undefined : readJson(raw);
  }

  keys(): Iterable<CelValue> {
    return Object.keys(this.#raw);
  }

  equals(other: CelValue): CelValue {
    if (!(other instanceof CelMap) || other.size !== this.size) return false;
    for (const key of this.keys()) {
      const found = other.find(key);
      if (found === undefined) return false;
      const same = found instanceof CelError ? found : equal(this.find(key) ?? null, found);
      if (same !== true) return same;
    }
    return true;
  }
}

/** A list of a request. */
class JsonListValue extends CelList {
  readonly #raw: readonly unknown[];

  constructor(raw: readonly unknown[]) {
    super();
    this.#raw = raw;
  }

  get size(): number {
    return this.#raw.length;
  }

  at(index: number): CelValue {
    return readJson(this.#raw[index]);
  }

  contains(value: CelValue): CelValue {
    return listContains(this, value);
  }

  equals(other: CelValue): CelValue {
    return other instanceof CelList ? listsEqual(this, other) : false;
  }

  concat(other: CelList): CelList {
    checkListSize(this.size + other.size);
    return new ListValue([...this, ...other]);
  }
}
