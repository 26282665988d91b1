import { goTypeName } from '@kubewright/api/patch';
import type { JsonDraft } from '../objects/api-object.js';
import { copyJson, isObject } from '../objects/json-object.js';
import type { GoType, GoTypes } from '../cluster-data/go-types.js';
import { TypedReader, UnreadableError } from './typed-reader.js';

/**
 * Returns why the result of a strategic merge patch does not fit the type, or undefined if the result fits. kube-apiserver converts such a
 * result with a converter that does not use JSON. The messages of this converter do not name the field. Returns the message for the first
 * fault in declaration order.
 */
export function conversionFault(value: unknown, type: GoType, types: GoTypes): string | undefined {
  if (value === null || value === undefined) return undefined;
  switch (type.kind) {
    case 'any':
      return undefined;
    case 'read':
      return readFault(value, type, types);
    case 'struct':
      if (!isObject(value)) return `cannot restore struct from: ${kindOf(value)}`;
      return firstOf(types.fields(type.key), ([name, field]) => conversionFault(value[name], field.type, types));
    case 'map':
      if (!isObject(value)) return `cannot restore map from ${kindOf(value)}`;
      return firstOf(Object.values(value), (each) => conversionFault(each, type.of, types));
    case 'list':
      if (!Array.isArray(value)) return `cannot restore slice from ${kindOf(value)}`;
      return firstOf(value, (each) => conversionFault(each, type.of, types));
    case 'bytes':
      if (typeof value !== 'string') return `cannot restore slice from ${kindOf(value)}`;
      return wrapped('error decoding from json: ', readFault(value, type, types));
    default:
      return scalarFault(value, type);
  }
}

function firstOf<T>(values: Iterable<T>, faultOf: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const fault = faultOf(value);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/**
 * Returns the fault of a scalar, or undefined if the scalar fits the type. Float fields accept all numbers. The message for an integer in a
 * string field, and for a float in an integer field, is `cannot convert …`.
 */
function scalarFault(value: unknown, { kind, name }: GoType): string | undefined {
  const found = goTypeName(value);
  const fits =
    (kind === 'string' && found === 'string') ||
    (kind === 'bool' && found === 'bool') ||
    (kind === 'int' && found === 'int64') ||
    (kind === 'float' && (found === 'int64' || found === 'float64'));
  if (fits) return undefined;
  const isConverted = (found === 'int64' && kind === 'string') || (found === 'float64' && kind === 'int');
  return isConverted ? `cannot convert ${found} to ${name}` : `unrecognized type: ${kind === 'int' ? name : kind}`;
}

/** Returns the fault of a value whose type has its own JSON decoder. */
function readFault(value: unknown, type: GoType, types: GoTypes): string | undefined {
  try {
    // The reader changes values in place. The object can contain frozen values of the stored object, so the reader needs a copy.
    new TypedReader(types).read(copyJson(value) as JsonDraft, type);
    return undefined;
  } catch (error) {
    if (error instanceof UnreadableError) return error.message;
    throw error;
  }
}

function wrapped(lead: string, fault: string | undefined): string | undefined {
  return fault === undefined ? undefined : lead + fault;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'slice';
  return isObject(value) ? 'map' : goTypeName(value);
}
