import { goDuration, verboseDuration } from '../../schema/duration-text.js';
import type { StructuralSchema } from '../../schema/structural-schema.js';
import { CelError, NO_OVERLOAD } from './cel-error.js';
import { parseDate, parseTimestamp, CelDuration } from './cel-time.js';
import type { CelValue } from './cel-value.js';
import { UnknownData } from './unknown-data.js';

/** Converts a JSON value to a CEL value according to a schema that is neither an object nor a list. */
export function readScalar(raw: unknown, schema: StructuralSchema): CelValue {
  if (schema['x-kubernetes-int-or-string'] === true) {
    if (typeof raw === 'string') return raw;
    return wholeNumber(raw) ?? invalid('expected XIntOrString value to be either a string or integer');
  }
  switch (schema.type) {
    case 'string':
      return typeof raw === 'string' ? readText(raw, schema.format) : invalid(`expected string, got ${goType(raw)}`);
    case 'integer':
      return wholeNumber(raw) ?? invalid(`expected int, got ${goType(raw)}`);
    case 'number':
      if (typeof raw === 'number' || typeof raw === 'bigint') return Number(raw);
      return invalid(`expected float, got ${goType(raw)}`);
    case 'boolean':
      return typeof raw === 'boolean' ? raw : invalid(`expected bool, got ${goType(raw)}`);
    default:
      return schema['x-kubernetes-preserve-unknown-fields'] === true ? new UnknownData(raw) : NO_OVERLOAD;
  }
}

function invalid(why: string): CelError {
  return new CelError(`invalid data, ${why}`);
}

function wholeNumber(raw: unknown): bigint | undefined {
  if (typeof raw === 'bigint') return raw;
  return typeof raw === 'number' && Number.isInteger(raw) ? BigInt(raw) : undefined;
}

function goType(raw: unknown): string {
  if (Array.isArray(raw)) return '[]interface {}';
  if (typeof raw === 'boolean') return 'bool';
  if (typeof raw === 'number') return Number.isInteger(raw) ? 'int64' : 'float64';
  return typeof raw === 'object' ? 'map[string]interface {}' : typeof raw;
}

function readText(text: string, format: string | undefined): CelValue {
  switch (format) {
    case 'byte':
      return Uint8Array.from(Buffer.from(text, 'base64'));
    case 'date':
      return parseDate(text) ?? new CelError(`Invalid date formatted string ${text}`);
    case 'date-time':
      return parseTimestamp(text.toUpperCase()) ?? new CelError(`Invalid date-time formatted string ${text}`);
    case 'duration':
      return readDuration(text);
    default:
      return text;
  }
}

/** Parses durations of Go, and durations such as `3 days`, which the format `duration` also allows. */
function readDuration(text: string): CelValue {
  const nanos = goDuration(text) ?? verboseDuration(text);
  return nanos === undefined ? new CelError(`Invalid duration ${text}`) : new CelDuration(nanos);
}
