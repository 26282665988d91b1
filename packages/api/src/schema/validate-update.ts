import { Correlation } from './correlation.js';
import type { FieldError } from './field-error.js';
import { findingsOf } from './findings-of.js';
import { ratchet } from './ratchet.js';
import type { StructuralSchema } from './structural-schema.js';
import type { TimeLimit } from './time-limit.js';
import { embeddedResourceErrors } from './validate-embedded.js';
import { listTypeErrors } from './validate-list-types.js';

/**
 * Returns the errors in a changed value according to its schema, as `validate` does. Omits errors in unchanged values, except errors in
 * embedded resources. Omits duplicates in lists if the old value has duplicates. `authored` is the schema in the CustomResourceDefinition.
 * This schema determines how new and old values are matched. With `limit`, throws TakesLong if the checks take too long.
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
