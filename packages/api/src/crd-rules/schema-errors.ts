import type { Steps } from '../apply/steps.js';
import { append } from '../objects/append.js';
import { loadCel } from './load-cel.js';
import type { FieldError } from '../schema/field-error.js';
import { fieldErrors } from '../schema/field-errors.js';
import { checkStructuralSteps } from '../schema/check-structural.js';
import { hasRules } from '../schema/has-rules.js';
import type { BriefOptions } from '../schema/time-limit.js';
import { isObject } from '../json/value-at.js';
import { schemaText, setFields } from './schema-text.js';

/** The Go names of the fields that are allowed at the root of a schema if the status subresource is enabled. */
const allowedAtRoot = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
];

/** Returns the errors in the schema of one version, or of all versions, at a path. */
export function* schemaRuleErrors(
  validation: unknown,
  { path, hasStatus, isBrief }: BriefOptions & { readonly path: string; readonly hasStatus: boolean },
): Steps<readonly FieldError[]> {
  const schema = isObject(validation) ? validation['openAPIV3Schema'] : undefined;
  if (!isObject(schema)) return [];
  const at = `${path}.openAPIV3Schema`;
  const errors: FieldError[] = [];
  if (hasStatus) append(errors, rootErrors(schema, at));
  if (schema['nullable'] === true) {
    errors.push(fieldErrors.forbidden(`${at}.nullable`, 'nullable cannot be true at the root'));
  }
  const form = yield* checkStructuralSteps(schema, at, { isBrief });
  append(errors, form);
  // Expressions can be type-checked only if the schema is structural. Errors in the form of a rule do not affect the types.
  const shaped = form.every(({ field }) => field.includes('.x-kubernetes-validations['));
  if (!shaped || !hasRules(schema)) return errors;
  const { checkExpressionsSteps, defaultRuleErrors } = loadCel();
  yield;
  const defaults = yield* defaultRuleErrors(schema, at, { others: form, isBrief });
  append(errors, defaults.length > 0 ? defaults : yield* checkExpressionsSteps(schema, at, form));
  return errors;
}

function rootErrors(schema: Record<string, unknown>, path: string): readonly FieldError[] {
  for (const field of setFields(schema)) {
    if (field === 'Type') {
      if (schema['type'] === 'object') continue;
      const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [fieldErrors.invalid(`${path}.type`, schema['type'], why)];
    }
    if (allowedAtRoot.includes(field)) continue;
    const why = `only [${allowedAtRoot.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
    return [{ reason: 'FieldValueInvalid', field: path, message: `Invalid value: ${schemaText(schema)}: ${why}` }];
  }
  return [];
}
