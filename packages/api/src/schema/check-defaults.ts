import type { FieldError } from './field-error.js';
import { fieldErrors } from './field-errors.js';
import { childPath, isJsonMap } from './json-shape.js';
import { pruneWithin } from './prune.js';
import type { StructuralSchema } from './structural-schema.js';
import { validate } from './validate.js';

/** Defaults that are invalid by their own schema, or that have unknown fields. */
export function checkDefaults(schema: StructuralSchema, path: string): readonly FieldError[] {
  const own = schema.default === undefined ? [] : defaultErrors(schema, childPath(path, 'default'));
  const items = isJsonMap(schema.items) ? checkDefaults(schema.items, childPath(path, 'items')) : [];
  const properties = Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
    checkDefaults(property, `${childPath(path, 'properties')}[${key}]`),
  );
  return [...own, ...items, ...properties];
}

function defaultErrors(schema: StructuralSchema, path: string): readonly FieldError[] {
  const value = schema.default;
  const { unknownFields } = pruneWithin(value, schema);
  const unknown = unknownFields.length > 0 ? [fieldErrors.invalid(path, value, 'must not have unknown fields')] : [];
  return [...unknown, ...validate(value, schema, path)];
}
