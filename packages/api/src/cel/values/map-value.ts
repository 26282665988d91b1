import { CelError } from './cel-error.js';
import { CelMap, CelUint, type CelValue } from './cel-value.js';
import { equal } from './value-order.js';

/** A map created by an expression. */
export class MapValue extends CelMap {
  readonly #entries: Map<string, readonly [CelValue, CelValue]>;
  #grows = false;

  constructor(entries: Iterable<readonly [CelValue, CelValue]>) {
    super();
    this.#entries = new Map(Array.from(entries, (entry) => [keyText(entry[0]), entry]));
  }

  /**
   * Returns an empty map in which a macro accumulates its result. An insert changes this map instead of copying it, because no other
   * expression refers to it.
   */
  static growing(): MapValue {
    const map = new MapValue([]);
    map.#grows = true;
    return map;
  }

  /** Ends the accumulation. Later inserts copy the map. */
  finish(): void {
    this.#grows = false;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns the value of a key. Numeric keys match keys of other numeric types with the same value. */
  find(key: CelValue): CelValue | undefined {
    const exact = this.#entries.get(keyText(key));
    if (exact !== undefined) return exact[1];
    const amount = wholeAmount(key);
    if (amount === undefined) return undefined;
    return (this.#entries.get(`i${amount}`) ?? this.#entries.get(`u${amount}`))?.[1];
  }

  *keys(): Iterable<CelValue> {
    for (const [key] of this.#entries.values()) yield key;
  }

  equals(other: CelValue): CelValue {
    if (!(other instanceof CelMap) || other.size !== this.size) return false;
    for (const [key, value] of this.#entries.values()) {
      const found = other.find(key);
      if (found === undefined) return false;
      const same = equal(value, found);
      if (same !== true) return same;
    }
    return true;
  }

  /** Returns the map with an additional entry, or an error if the key already exists. */
  with(key: CelValue, value: CelValue): CelMap | CelError {
    if (this.#entries.has(keyText(key))) return new CelError(`insert failed: key ${String(key)} already exists`);
    if (this.#grows) {
      this.#entries.set(keyText(key), [key, value]);
      return this;
    }
    return new MapValue([...this.#entries.values(), [key, value]]);
  }
}

function keyText(key: CelValue): string {
  if (typeof key === 'string') return `s${key}`;
  if (typeof key === 'bigint') return `i${key}`;
  if (typeof key === 'number') return `d${key}`;
  return key instanceof CelUint ? `u${key.value}` : `o${String(key)}`;
}

function wholeAmount(key: CelValue): bigint | undefined {
  if (typeof key === 'bigint') return key;
  if (key instanceof CelUint) return key.value;
  return typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : undefined;
}
