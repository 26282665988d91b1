import type { FieldError } from './field-error.js';
import { fieldErrors } from './field-errors.js';
import { childPath, isJsonMap } from './json-shape.js';
import { pruneWithin } from './prune.js';
import type { StructuralSchema } from './structural-schema.js';
import { validate } from './validate.js';

const META_FIELDS = ['apiVersion', 'kind', 'metadata'];

/** Defaults that are invalid by their own schema, that have unknown fields, or that stand where there may be none. */
export function checkDefaults(schema: StructuralSchema, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  visit(schema, { path, errors, root: true });
  return errors;
}

interface Visit {
  readonly path: string;
  readonly errors: FieldError[];
  readonly root?: boolean;
  /** Why there may be no default here. */
  readonly forbidden?: string | undefined;
}

function visit(schema: StructuralSchema, { path, errors, root = false, forbidden }: Visit): void {
  const at = childPath(path, 'default');
  if (schema.default !== undefined) {
    if (forbidden !== undefined) errors.push(fieldErrors.forbidden(at, `must not be set ${forbidden}`));
    else errors.push(...defaultErrors(schema, at));
  }
  if (isJsonMap(schema.items)) visit(schema.items, { path: childPath(path, 'items'), errors, forbidden });
  if (isJsonMap(schema.additionalProperties)) {
    visit(schema.additionalProperties, { path: childPath(path, 'additionalProperties'), errors, forbidden });
  }
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const within = root && META_FIELDS.includes(key) ? `in top-level ${key}` : forbidden;
    visit(property, { path: `${childPath(path, 'properties')}[${key}]`, errors, forbidden: within });
  }
}

function defaultErrors(schema: StructuralSchema, path: string): readonly FieldError[] {
  const value = schema.default;
  const { unknownFields } = pruneWithin(value, schema);
  const unknown = unknownFields.length > 0 ? [fieldErrors.invalid(path, value, 'must not have unknown fields')] : [];
  return [...unknown, ...validate(value, schema, path)];
}
