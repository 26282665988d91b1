import type { ConvertVersion, Steps } from '@kubewright/api/apply';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import { typeFirst } from '../definitions/type-first.js';
import type { ApiObject } from '../objects/api-object.js';
import { waitFor } from '../webhooks/wait-for.js';

/** Returns the form in which an object is stored. Waits if a webhook converts the object. */
export function* storedForm(object: ApiObject, definition: ResourceDefinition): Steps<ApiObject> {
  const { conversion } = definition;
  if (conversion === undefined || object.apiVersion === conversion.storedVersion) {
    return typeFirst(definition.toStored(object), definition);
  }
  return typeFirst(yield* waitFor(() => conversion.toStored(object)), definition);
}

/** Returns a stored object in the version of the definition. Waits if a webhook has to convert the object first. */
export function* readStored(stored: ApiObject, definition: ResourceDefinition): Steps<ApiObject> {
  const { conversion } = definition;
  if (conversion !== undefined && !conversion.isRead(stored)) yield* waitFor(() => conversion.read([stored]));
  return definition.fromStored(stored);
}

/**
 * Returns a stored object like `readStored`, but always calls the webhook that converts the object. A kube-apiserver also reads the object
 * from its storage again when it handles GET and DELETE.
 */
export function* readAgain(stored: ApiObject, definition: ResourceDefinition): Steps<ApiObject> {
  const { conversion } = definition;
  if (conversion === undefined || stored.apiVersion === definition.apiVersion) return definition.fromStored(stored);
  return yield* waitFor(() => conversion.readAgain(stored));
}

/**
 * Returns the function that converts an object between the versions of managed fields. Returns undefined if no webhook converts the kind.
 * As in a kube-apiserver, an object without metadata is not sent to the webhook; the function changes only its apiVersion.
 */
export function versionConverter({ conversion, apiVersion: own }: ResourceDefinition): ConvertVersion | undefined {
  if (conversion === undefined) return undefined;
  return function* (object, apiVersion) {
    if (!('metadata' in object)) return { ...object, apiVersion };
    const converted = object as ApiObject;
    // A kube-apiserver first converts the object to the version of the request.
    const through = yield* waitFor(() => conversion.convert(converted, own));
    return apiVersion === own ? through : yield* waitFor(() => conversion.convert(through, apiVersion));
  };
}
