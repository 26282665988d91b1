/** An object of JSON whose fields are not known. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object, not an array and not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy of `record` with the own property `key` set. Safe for `__proto__`. */
export function withField(record: JsonObject, key: string, value: unknown): Record<string, unknown> {
  const copy = { ...record };
  setField(copy, key, value);
  return copy;
}

/** Sets an own property of a record that the caller has just made. Safe for `__proto__`. */
export function setField(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
  } else record[key] = value;
}

/** The own property `key`, or undefined. Inherited properties such as `constructor` are not seen. */
export function getField(record: JsonObject, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
