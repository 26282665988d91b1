import { Correlation } from './correlation.js';
import type { FieldError } from './field-error.js';
import { findingsOf } from './findings-of.js';
import { ratchet } from './ratchet.js';
import type { StructuralSchema } from './structural-schema.js';
import type { TimeLimit } from './time-limit.js';
import { embeddedResourceErrors } from './validate-embedded.js';
import { listTypeErrors } from './validate-list-types.js';

/**
 * What is wrong with a changed value by its schema, as `validate` says it of a new one, but for what was wrong before at
 * places that did not change. `authored` is the schema as its author wrote it, which tells what is the same place.
 * Throws TakesLong if there is a time limit, and the checks take longer.
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
