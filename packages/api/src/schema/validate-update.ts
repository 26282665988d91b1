import { Correlation } from './correlation.js';
import type { FieldError } from './field-error.js';
import { findingsOf } from './findings-of.js';
import { ratchet } from './ratchet.js';
import type { StructuralSchema } from './structural-schema.js';
import type { TimeLimit } from './time-limit.js';
import { embeddedResourceErrors } from './validate-embedded.js';
import { listTypeErrors } from './validate-list-types.js';

/**
 * Returns the errors in a changed value according to its schema, as `validate` does. Omits errors at unchanged places. `authored` is the
 * schema as written by its author, which determines the places that match. Throws TakesLong if there is a time limit and the checks exceed
 * it.
 */
export function validateUpdate(
  value: unknown,
  old: unknown,
  {
    schema,
    authored,
    limit,
  }: { readonly schema: StructuralSchema; readonly authored: StructuralSchema; readonly limit?: TimeLimit | undefined },
): readonly FieldError[] {
  const repeated = listTypeErrors(old, schema, '').length > 0 ? [] : listTypeErrors(value, schema, '');
  const findings = findingsOf(value, { schema, place: { root: '', name: '' }, limit });
  return [
    ...embeddedResourceErrors(value, schema, ''),
    ...ratchet(findings, new Correlation(value, old, authored)),
    ...repeated,
  ];
}
