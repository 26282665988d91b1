import { isJsonObject } from '../json/json-object.js';

/** What the API server's program calls the type of a JSON value, other than null. */
export function goTypeName(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (isJsonObject(value)) return 'map[string]interface {}';
  if (typeof value === 'bigint' || Number.isInteger(value)) return 'int64';
  if (typeof value === 'number') return 'float64';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** A JSON value where the API server's program expects a text: one of another type says what it is. */
export function goTextOnly(value: unknown): string {
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (typeof value === 'object' || typeof value === 'string') return goText(value);
  return `%!s(${goTypeName(value)}=${String(value)})`;
}

/** A JSON value as the API server's program prints the maps and lists that it holds: `map[a:1 b:[x y]]`. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  const fields = Object.keys(value)
    .toSorted()
    .map((key) => `${key}:${goText(value[key])}`);
  return `map[${fields.join(' ')}]`;
}
