import type { Steps } from '@kubewright/api/apply';
import { append } from '@kubewright/api/json';
import { type FieldError, fieldErrors, validateObjectMetaSteps } from '@kubewright/api/schema';
import type { ApiObject } from '../objects/api-object.js';
import { isWithin } from '../objects/within-field.js';
import { kindFinalizerErrors, metadataErrorsOfUpdate } from '../metadata/metadata-validation.js';
import type { RequestContext } from '../requests/request-context.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import { withoutEmpty } from '../decoding/go-form.js';
import { schemaErrors } from './schema-errors.js';
import { invalid } from '../requests/status-errors.js';

/** Returns the errors of a new object: errors in the metadata, and violations of the schema and the rules of the kind. */
export function* createErrors(object: ApiObject, definition: ResourceDefinition): Steps<readonly FieldError[]> {
  const { strategy } = definition;
  const metadata = [...(yield* generalMetadataErrors(object, definition)), ...kindFinalizerErrors(object, definition)];
  if (strategy.validateSteps) return [...metadata, ...(yield* strategy.validateSteps(object, undefined))];
  if (strategy.ownRules) return [...metadata, ...strategy.validate(object)];
  const { customRules } = definition;
  if (customRules !== undefined) {
    const shape = yield* customRules.createErrors(object, metadata);
    return [...metadata, ...shape, ...strategy.validate(object)];
  }
  return distinct([...metadata, ...bodyErrors(object, definition), ...strategy.validate(object)]);
}

/** Returns the errors of an update of the object or of its status. An empty list has the same value as an unset list. */
export function* updateErrors(
  given: ApiObject,
  old: ApiObject,
  { definition, context }: { readonly definition: ResourceDefinition; readonly context: RequestContext },
): Steps<readonly FieldError[]> {
  const { strategy } = definition;
  const next = withoutEmpty(given, definition);
  const isStatus = context.subresource === 'status';
  const { subresource } = context;
  // A binding only sets the node and a condition of a stored Pod, so the rules for updates do not apply.
  if (subresource === 'binding') return [];
  const general = yield* generalMetadataErrors(next, definition);
  const common = metadataErrorsOfUpdate({ next, old }, general, { definition, subresource });
  if (strategy.validateSteps && !isStatus) return [...common, ...(yield* strategy.validateSteps(next, old))];
  if (strategy.ownRules) {
    const rules = isStatus ? strategy.validateStatusUpdate : strategy.validateUpdate;
    return [...common, ...rules(next, old, subresource)];
  }
  const { customRules } = definition;
  if (customRules !== undefined) {
    const shape = yield* customRules.updateErrors(next, old, { metadata: common, warnings: context.warnings });
    return [...common, ...shape, ...(isStatus ? strategy.validateStatusUpdate(next, old) : strategy.validate(next))];
  }
  const errors = [...bodyErrors(next, definition)];
  if (isStatus) append(errors, strategy.validateStatusUpdate(next, old));
  else append(errors, strategy.validate(next), strategy.validateUpdate(next, old));
  return [...common, ...distinct(errors)];
}

/** Throws 422 with the errors if the list is not empty. Works in steps. */
export function* reject(definition: ResourceDefinition, name: string, errors: readonly FieldError[]): Steps<void> {
  yield;
  // The error names the group in which objects are stored: Events of both groups are stored in the core group.
  const [group = ''] = definition.storageBucket.split('/');
  if (errors.length > 0) throw invalid({ ...definition, group }, name, errors);
}

function* generalMetadataErrors(object: ApiObject, definition: ResourceDefinition): Steps<readonly FieldError[]> {
  const { namespaced } = definition;
  return named(object, definition, yield* validateObjectMetaSteps(object.metadata, { namespaced }));
}

function bodyErrors(object: ApiObject, definition: ResourceDefinition): readonly FieldError[] {
  const errors = schemaErrors(object, definition).filter(({ field }) => !isWithin(field, 'metadata'));
  if (definition.custom) return errors;
  // The Go types of built-in kinds have already checked the value types. Only the rules of the kind validate the status.
  return errors.filter(({ field, reason }) => reason !== 'FieldValueTypeInvalid' && !isWithin(field, 'status'));
}

/** Replaces the general name rule with the rule of the kind, if the kind defines a rule. */
function named(
  { metadata }: ApiObject,
  { strategy }: ResourceDefinition,
  errors: readonly FieldError[],
): readonly FieldError[] {
  const { nameErrors } = strategy;
  if (nameErrors === undefined || !metadata.name) return errors;
  return [
    ...nameErrors(metadata.name).map((detail) => fieldErrors.invalid('metadata.name', metadata.name, detail)),
    ...errors.filter(({ field }) => field !== 'metadata.name'),
  ];
}

/** The message of an error that only states that a field is required. */
const plainRequired = fieldErrors.required('').message;

/**
 * Removes duplicates. If the schema and the kind both report that a field is required, keeps only the error of the kind, because the text
 * of this error is more specific.
 */
function distinct(errors: readonly FieldError[]): readonly FieldError[] {
  const byFault = new Map<string, FieldError>();
  for (const error of errors) {
    const fault = `${error.field} ${error.reason}`;
    const known = byFault.get(fault);
    if (known === undefined || known.message === plainRequired || known.message === error.message) {
      byFault.set(fault, error);
    } else {
      byFault.set(`${fault} ${error.message}`, error);
    }
  }
  return [...byFault.values()];
}
