import type { CelValue } from '../values/cel-value.js';
import { CelError } from '../values/cel-error.js';
import { CelList } from '../values/cel-value.js';
import { writeFields, writeJson, type WriteOptions } from '../values/write-json.js';
import { ConstructedObject, JsonPatchOperation, OBJECT_TYPE, typeNameErrors } from './constructed-values.js';

/** An operation of a JSON patch, as JSON. */
export interface PatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

const applied: WriteOptions = { opaque: (value) => objectJson(value, applied) };
const patched: WriteOptions = { opaque: (value) => objectJson(value, patched), longAsText: true };

function objectJson(value: CelValue, options: WriteOptions): unknown {
  return value instanceof ConstructedObject ? writeFields(value.fields, options) : undefined;
}

/** Returns the apply configuration that an expression with the use `applyConfiguration` returned, as JSON, or an error. */
export function applyConfigurationOf(
  value: CelValue,
): { readonly configuration: Readonly<Record<string, unknown>> } | { readonly error: string } {
  if (!(value instanceof ConstructedObject))
    return { error: 'unsupported return type from ApplyConfiguration expression' };
  const mismatches = typeNameErrors(value, OBJECT_TYPE);
  if (mismatches.length > 0) return { error: `type mismatch: ${mismatches.join('\n')}` };
  const configuration = writeJson(value, applied);
  if (configuration instanceof CelError) return { error: configuration.message };
  return { configuration: configuration as Readonly<Record<string, unknown>> };
}

/** Returns the operations that an expression with the use `jsonPatch` returned, or an error. */
export function jsonPatchOf(
  value: CelValue,
): { readonly operations: readonly PatchOperation[] } | { readonly error: string } {
  if (!(value instanceof CelList)) return { error: 'type mismatch: JSONPatchType.expression should evaluate to array' };
  const operations: PatchOperation[] = [];
  for (const element of value) {
    if (!(element instanceof JsonPatchOperation)) {
      return { error: 'type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch' };
    }
    const written = operationOf(element);
    if ('error' in written) return written;
    operations.push(written);
  }
  return { operations };
}

function operationOf({ op, path, from, value }: JsonPatchOperation): PatchOperation | { readonly error: string } {
  const operation = { op, path, ...(from !== '' && { from }) };
  if (value === undefined) return operation;
  const mismatches = value instanceof ConstructedObject ? typeNameErrors(value, value.opaqueType.name) : [];
  if (mismatches.length > 0) return { error: `type mismatch: ${mismatches.join('\n')}` };
  const json = writeJson(value, patched);
  if (json instanceof CelError) {
    return { error: `JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${json.message}` };
  }
  return { ...operation, value: json };
}
