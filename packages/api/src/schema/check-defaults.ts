import { workTimeMs } from '../time/work-time.js';
import type { Steps } from '../apply/steps.js';
import type { ErrorList } from './error-list.js';
import type { FieldError } from './field-error.js';
import { fieldErrors } from './field-errors.js';
import { childPath, isJsonMap } from './json-shape.js';
import { pruneWithin } from './prune.js';
import type { StructuralSchema } from './structural-schema.js';
import { type BriefOptions, TimeLimit } from './time-limit.js';
import { validateSteps } from './validate.js';

/**
 * Adds an error for each default that does not match its schema or that has unknown fields. With `isBrief`, throws TakesLong if the
 * validation of a default takes more than 30 ms.
 */
export function* checkDefaults(
  schema: StructuralSchema,
  path: string,
  options: BriefOptions & { readonly found: ErrorList },
): Steps<void> {
  const { found, isBrief } = options;
  if (found.isBreakDue()) yield;
  if (schema.default !== undefined) {
    found.add(yield* defaultErrors(schema, childPath(path, 'default'), { isBrief }));
    yield;
  }
  if (isJsonMap(schema.items)) yield* checkDefaults(schema.items, childPath(path, 'items'), options);
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    yield* checkDefaults(property, `${childPath(path, 'properties')}[${key}]`, options);
  }
}

function* defaultErrors(
  schema: StructuralSchema,
  path: string,
  { isBrief }: BriefOptions,
): Steps<readonly FieldError[]> {
  const value = schema.default;
  const { unknownFields } = pruneWithin(value, schema);
  const unknown = unknownFields.length > 0 ? [fieldErrors.invalid(path, value, 'must not have unknown fields')] : [];
  yield;
  const limit = isBrief === true ? new TimeLimit(workTimeMs) : undefined;
  return [...unknown, ...(yield* validateSteps(value, schema, { path, limit }))];
}
