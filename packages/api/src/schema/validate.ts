import { finish, type Steps } from '../apply/steps.js';
import type { FieldError } from './field-error.js';
import { findingsOf } from './findings-of.js';
import { embeddedResourceErrors } from './validate-embedded.js';
import { listTypeErrors } from './validate-list-types.js';
import type { StructuralSchema } from './structural-schema.js';
import type { TimeLimit } from './time-limit.js';

/**
 * Returns the errors in a value according to its schema, in the wording of the API server: structure, metadata of embedded resources, and
 * duplicates in sets and maps. Does not evaluate CEL rules. `path` (default '') is the field of the value itself.
 */
export function validate(value: unknown, schema: StructuralSchema, path = ''): readonly FieldError[] {
  return validateBriefly(value, schema, { path });
}

/** Options of a validation. */
interface ValidateOptions {
  /** The path of the value. The `field` of each error starts with this path. @default '' */
  readonly path?: string;
  /** The time limit of the validation. @default no limit */
  readonly limit?: TimeLimit | undefined;
}

/** Validates a value within a time limit. Throws TakesLong if the checks take too long. */
export function validateBriefly(
  value: unknown,
  schema: StructuralSchema,
  options: ValidateOptions,
): readonly FieldError[] {
  return finish(validateSteps(value, schema, options));
}

/** Validates a value in steps. */
export function* validateSteps(
  value: unknown,
  schema: StructuralSchema,
  { path = '', limit }: ValidateOptions,
): Steps<readonly FieldError[]> {
  const embedded = embeddedResourceErrors(value, schema, path);
  const findings = findingsOf(value, { schema, place: { root: path, name: '' }, limit }).distinct();
  yield;
  return [...embedded, ...findings.map(({ error }) => error), ...listTypeErrors(value, schema, path)];
}
