import type { Steps } from '../apply/steps.js';
import type { ErrorList } from './error-list.js';
import type { FieldError } from './field-error.js';
import { fieldErrors } from './field-errors.js';
import { childPath, isJsonMap } from './json-shape.js';
import { pruneWithin } from './prune.js';
import type { StructuralSchema } from './structural-schema.js';
import { validateSteps } from './validate.js';

/** Finds defaults that are invalid by their own schema, or that have unknown fields. */
export function* checkDefaults(schema: StructuralSchema, path: string, found: ErrorList): Steps<void> {
  if (found.isBreakDue()) yield;
  if (schema.default !== undefined) {
    found.add(yield* defaultErrors(schema, childPath(path, 'default')));
    yield;
  }
  if (isJsonMap(schema.items)) yield* checkDefaults(schema.items, childPath(path, 'items'), found);
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    yield* checkDefaults(property, `${childPath(path, 'properties')}[${key}]`, found);
  }
}

function* defaultErrors(schema: StructuralSchema, path: string): Steps<readonly FieldError[]> {
  const value = schema.default;
  const { unknownFields } = pruneWithin(value, schema);
  const unknown = unknownFields.length > 0 ? [fieldErrors.invalid(path, value, 'must not have unknown fields')] : [];
  yield;
  return [...unknown, ...(yield* validateSteps(value, schema, { path }))];
}
