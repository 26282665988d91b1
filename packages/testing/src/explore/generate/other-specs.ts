import { isJsonObject } from '@kubewright/api/json';
import type { StructuralSchema } from '@kubewright/api/schema';
import { fieldChanges } from './field-changes.js';
import { fullValue, leastValue, OFF_SWITCH } from './field-values.js';
import { fieldAt, withFieldAt } from './with-field.js';

/** The depth of the fields that a rich spec sets one by one. */
const DEEPEST = 4;

/** Returns a spec in which as many optional fields as possible are set, and switches are on. */
export function richSpec(spec: unknown, schema: StructuralSchema, isValid: (spec: unknown) => boolean): unknown {
  let rich = spec;
  for (const { path, values } of unsetFields(spec, schema, [])) {
    for (const value of values) {
      const next = withFieldAt(rich, path, value);
      if (!isValid(next)) continue;
      rich = next;
      break;
    }
  }
  return rich;
}

/** Returns a valid spec with other texts in as many fields as possible, such as another domain. */
export function differentSpec(spec: unknown, schema: StructuralSchema, isValid: (spec: unknown) => boolean): unknown {
  let different = spec;
  for (const { path, value } of fieldChanges(spec, schema)) {
    const [, ...fields] = path.split('.');
    const isUnchanged = fieldAt(different, fields) === fieldAt(spec, fields);
    if (typeof value !== 'string' || value === '' || path.includes('[') || !isUnchanged) continue;
    const next = withFieldAt(different, fields, value);
    if (fieldAt(spec, fields) !== undefined && isValid(next)) different = next;
  }
  return different;
}

interface UnsetField {
  readonly path: readonly string[];
  /** The values to try, the preferred one first. */
  readonly values: readonly unknown[];
}

function* unsetFields(value: unknown, schema: StructuralSchema, path: readonly string[]): Generator<UnsetField> {
  if (path.length > DEEPEST) return;
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const current = isJsonObject(value) ? value[name] : undefined;
    const next = [...path, name];
    if (isJsonObject(current)) yield* unsetFields(current, field, next);
    if (current === false && !OFF_SWITCH.test(name)) yield { path: next, values: [true] };
    const isEmpty = isJsonObject(current)
      ? Object.keys(current).length === 0
      : Array.isArray(current) && current.length === 0;
    if (current === undefined || isEmpty)
      yield { path: next, values: [fullValue(name, field), leastValue(name, field)] };
  }
}
