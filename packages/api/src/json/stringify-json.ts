import { InvalidJsonError } from './invalid-json-error.js';

/**
 * Writes a value as `JSON.stringify` does, and a `bigint` as its digits. Throws `InvalidJsonError` for a value that
 * JSON cannot say (undefined, a function, a cycle).
 */
export function stringifyJson(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value) as string | undefined;
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    // A bigint, or a cycle: the writer knows which.
    text = write(value, '', new Set());
  }
  if (text === undefined) throw new InvalidJsonError(`a value of type ${typeof value} cannot be written as JSON`);
  return text;
}

function write(value: unknown, key: string, above: Set<object>): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (above.has(value))
    throw new InvalidJsonError(`a value that contains itself cannot be written as JSON: at "${key}"`);
  if ('toJSON' in value && typeof value.toJSON === 'function') return write(value.toJSON(key), key, above);
  above.add(value);
  const text = Array.isArray(value) ? writeArray(value, above) : writeObject(value as Record<string, unknown>, above);
  above.delete(value);
  return text;
}

function writeArray(items: readonly unknown[], above: Set<object>): string {
  return `[${items.map((item, index) => write(item, String(index), above) ?? 'null').join(',')}]`;
}

function writeObject(object: Record<string, unknown>, above: Set<object>): string {
  const parts: string[] = [];
  for (const key of Object.keys(object)) {
    const text = write(object[key], key, above);
    if (text !== undefined) parts.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${parts.join(',')}}`;
}
