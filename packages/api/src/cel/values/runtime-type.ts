import { CelError } from './cel-error.js';
import { CelDuration, CelTimestamp } from './cel-time.js';
import { type CelType, celTypes } from './cel-type.js';
import { CelList, CelMap, CelOptional, CelTypeValue, CelUint, type CelValue, isOpaque } from './cel-value.js';

/** Returns the name of the type of a value, as `type(x)` does. */
export function runtimeTypeName(value: CelValue): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    default:
      return value === null ? 'null_type' : objectTypeName(value);
  }
}

function objectTypeName(value: Exclude<CelValue, null | string | boolean | bigint | number>): string {
  if (value instanceof CelList) return 'list';
  if (value instanceof CelMap) return 'map';
  if (value instanceof CelUint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof CelTimestamp) return celTypes.timestamp.name;
  if (value instanceof CelDuration) return celTypes.duration.name;
  if (value instanceof CelOptional) return 'optional_type';
  if (value instanceof CelTypeValue) return 'type';
  if (value instanceof CelError) return 'error';
  return isOpaque(value) ? value.opaqueType.name : 'unknown';
}

/** Whether a value matches a declared type. Checks only the first element of a list and the first entry of a map. */
export function hasRuntimeType(value: CelValue, type: CelType): boolean {
  if (type.kind === 'dyn' || type.kind === 'param') return true;
  if (runtimeTypeName(value) !== type.name) return false;
  const [first, second] = type.parameters;
  if (first === undefined) return true;
  if (value instanceof CelList) return value.size === 0 || hasRuntimeType(value.at(0), first);
  if (!(value instanceof CelMap) || second === undefined) return true;
  for (const key of value.keys()) return hasRuntimeType(key, first) && hasRuntimeType(value.find(key) ?? null, second);
  return true;
}

const GO_NAMES: Readonly<Record<string, string>> = {
  'google.protobuf.Timestamp': 'types.Timestamp',
  'google.protobuf.Duration': 'types.Duration',
  null_type: 'types.Null',
  optional_type: '*types.Optional',
};

/** Returns the Go type name of a value, for error messages. */
export function goTypeName(value: CelValue): string {
  const name = runtimeTypeName(value);
  return GO_NAMES[name] ?? `types.${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
