import type { Steps } from '@kubewright/api/apply';
import type { Current } from '../admission/prepared-update.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import { checkWrittenValues } from '../../storage/value-limit.js';
import type { ApiObject } from '../objects/api-object.js';
import type { RequestContext } from '../requests/request-context.js';
import { readStored, storedForm } from './stored-form.js';
import { sameExceptManagers, sameManagers } from './update-rules.js';

/** Returns a written object in the version of the definition, or in the stored version if `shownResult` has to convert the object. */
export function writtenResult(stored: ApiObject, { conversion, fromStored }: ResourceDefinition): ApiObject {
  return conversion?.isRead(stored) === false ? stored : fromStored(stored);
}

/** Returns the result of a write in the version of the definition. Waits if a webhook has to convert the result. */
export function* shownResult<T extends { readonly kind: string }>(
  result: T,
  definition: ResourceDefinition,
): Steps<ApiObject | T> {
  const { conversion, kind, apiVersion } = definition;
  if (conversion === undefined || result.kind !== kind) return result;
  const object = result as unknown as ApiObject;
  return object.apiVersion === apiVersion ? result : yield* readStored(object, definition);
}

/**
 * Returns the form in which a write stores a complete object, or the response to a dry run, in steps. Throws 413 if the form has too many
 * values: admission, webhooks, defaults and a conversion can add values to the object of a client.
 */
export function* writtenForm(
  object: ApiObject,
  definition: ResourceDefinition,
  { dryRun }: Pick<RequestContext, 'dryRun'>,
): Steps<ApiObject> {
  const form = dryRun ? yield* dryRunForm(object, definition) : yield* storedForm(object, definition);
  yield;
  checkWrittenValues(form);
  return form;
}

/**
 * Returns the response to a dry run. If a webhook converts the kind, converts the object to the stored form and back, like a
 * kube-apiserver.
 */
function* dryRunForm(object: ApiObject, definition: ResourceDefinition): Steps<ApiObject> {
  if (definition.conversion === undefined) return object;
  return yield* readStored(yield* storedForm(object, definition), definition);
}

/**
 * Whether an update changes nothing, so that the server does not write the object. Returns false for a stored object in an earlier storage
 * version, or without a default that was added later.
 */
export function isUnchanged(next: ApiObject, { stored, live }: Current, definition: ResourceDefinition): boolean {
  return sameExceptManagers(next, live) && sameManagers(next, live) && isCurrentForm(stored, next, definition);
}

/** Whether the stored object is in the form in which the server would store the same object now. */
function isCurrentForm(stored: ApiObject, same: ApiObject, definition: ResourceDefinition): boolean {
  const { custom, conversion, toStored } = definition;
  if (custom === undefined) return true;
  if (conversion !== undefined) return conversion.storedVersion === stored.apiVersion;
  return sameExceptManagers(toStored(same), stored);
}
