/** A JSON object. */
export type JsonMap = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object, neither null nor a list. */
export function isJsonMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a deep copy of a JSON value. */
export function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyJson);
  if (!isJsonMap(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) setOwn(copy, key, copyJson(value[key]));
  return copy;
}

/** Sets a property of a draft. Also sets a property with the name `__proto__`. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

/** Returns the own property of a record, or undefined. Ignores inherited properties such as `constructor`. */
export function ownValue<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Whether two JSON values are equal. The order of keys does not matter. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a === 'bigint' || typeof b === 'bigint') return sameNumber(a, b);
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  if (!isJsonMap(a) || !isJsonMap(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]));
}

function sameNumber(a: unknown, b: unknown): boolean {
  return isNumeric(a) && isNumeric(b) && !(a < b) && !(a > b);
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || typeof value === 'number';
}

/** Returns the path of a property: `a.b`, or `b` at the root. */
export function childPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** Whether a record has at least one key. Returns false for undefined. */
export function hasKeys(record: JsonMap | undefined): boolean {
  for (const key in record) if (Object.hasOwn(record, key)) return true;
  return false;
}
