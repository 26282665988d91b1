/** A JSON object with unknown fields. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object, not an array and not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Constructs objects without inherited properties. The objects take less memory and time than objects of `Object.create(null)`. */
const Bare = function (this: object): void {} as unknown as new () => Record<string, unknown>;
Bare.prototype = Object.create(null);

/** Returns an object without inherited properties, so that every name can be a key: `constructor`, `toString`, `__proto__`. */
export function emptyObject(): Record<string, unknown> {
  return new Bare();
}

/** Returns a table for lookups by names that clients choose. The table does not have inherited properties. */
export function nameTable<T>(entries: Readonly<Record<string, T>>): Readonly<Partial<Record<string, T>>> {
  return Object.assign(emptyObject(), entries) as Partial<Record<string, T>>;
}

/** Sets an own property of a record that the caller has created. Safe for `__proto__`. */
export function setField(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
  } else record[key] = value;
}

/** Returns the own property `key`, or undefined. Ignores inherited properties such as `constructor`. */
export function getField(record: JsonObject, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
