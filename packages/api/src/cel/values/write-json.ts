import { setOwn } from '../../schema/json-shape.js';
import { CelError } from './cel-error.js';
import { CelDuration, CelTimestamp, formatDuration, formatTimestamp } from './cel-time.js';
import { CelList, CelMap, CelUint, type CelValue } from './cel-value.js';
import { runtimeTypeName } from './runtime-type.js';

/** Options of the conversion to JSON. */
export interface WriteOptions {
  /** Converts the values of library types. Returns undefined for a type that has no JSON form. */
  readonly opaque?: (value: CelValue) => unknown;
  /** Whether integers that a double cannot represent become strings, as in the JSON form of protocol buffers. @default false */
  readonly longAsText?: boolean;
}

/** Converts a CEL value to JSON. Returns a `CelError` if the value or a nested value has no JSON form. */
export function writeJson(value: CelValue, options: WriteOptions = {}): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return wholeJson(value, options);
  if (value instanceof CelUint) return wholeJson(value.value, options);
  if (value instanceof CelError) return value;
  if (value instanceof CelList) return writeList(value, options);
  if (value instanceof CelMap) return writeMap(value, options);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDuration(value);
  return options.opaque?.(value) ?? new CelError(`unsupported type conversion to JSON: ${runtimeTypeName(value)}`);
}

/** Writes named values as an object. Returns a `CelError` if a value has no JSON form. */
export function writeFields(fields: Iterable<readonly [string, CelValue]>, options: WriteOptions): unknown {
  const written: Record<string, unknown> = {};
  for (const [name, value] of fields) {
    const json = writeJson(value, options);
    if (json instanceof CelError) return json;
    setOwn(written, name, json);
  }
  return written;
}

function wholeJson(whole: bigint, { longAsText = false }: WriteOptions): number | bigint | string {
  const number = Number(whole);
  if (Number.isSafeInteger(number)) return number;
  return longAsText ? whole.toString() : whole;
}

function writeList(list: CelList, options: WriteOptions): unknown {
  const written: unknown[] = [];
  for (const element of list) {
    const json = writeJson(element, options);
    if (json instanceof CelError) return json;
    written.push(json);
  }
  return written;
}

function writeMap(map: CelMap, options: WriteOptions): unknown {
  const entries: (readonly [string, CelValue])[] = [];
  for (const key of map.keys()) {
    if (typeof key !== 'string') return new CelError(`map key of type ${runtimeTypeName(key)} is not a string`);
    entries.push([key, map.find(key) ?? null]);
  }
  return writeFields(entries, options);
}
