import { isJsonObject } from '../json/json-object.js';

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
