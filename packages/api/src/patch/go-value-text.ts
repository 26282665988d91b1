import { isJsonObject } from '../json/json-object.js';

/** Returns the Go type name that the API server uses for a JSON value other than null. */
export function goTypeName(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (isJsonObject(value)) return 'map[string]interface {}';
  if (typeof value === 'bigint' || Number.isInteger(value)) return 'int64';
  if (typeof value === 'number') return 'float64';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** Formats a JSON value as Go formats a value with `%s`: a value that is not a string, list or map is shown with its type. */
export function goTextOnly(value: unknown): string {
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (typeof value === 'object' || typeof value === 'string') return goText(value);
  return `%!s(${goTypeName(value)}=${String(value)})`;
}

/** Formats a JSON value as Go prints maps and lists: `map[a:1 b:[x y]]`. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  const fields = Object.keys(value)
    .toSorted()
    .map((key) => `${key}:${goText(value[key])}`);
  return `map[${fields.join(' ')}]`;
}
