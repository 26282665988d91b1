import { labelSelectorFromObject, type LabelSelector } from '@kubewright/api/selectors';
import type { AdmissionRequest } from '../../registry/admission/admission-check.js';
import type { ApiObject, JsonObject } from '../../registry/objects/api-object.js';
import { isObject, objectAt } from '../../registry/objects/json-object.js';
import { notFound } from '../../registry/requests/status-errors.js';
import { isOnNamespace, namespaceOf, subresourceOf } from './reviewed-resource.js';

/** The selectors of a webhook, of a policy or of a binding. */
export interface Selectors {
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
}

/**
 * Returns the selectors of a webhook, or of the `matchConstraints` or `matchResources` of a policy. An unset selector matches everything.
 */
export function selectorsOf(owner: JsonObject): Selectors {
  const of = (field: string): LabelSelector => labelSelectorFromObject(isObject(owner[field]) ? owner[field] : {});
  return { namespaceSelector: of('namespaceSelector'), objectSelector: of('objectSelector') };
}

/**
 * Whether the namespaceSelector matches the labels of the namespace of the request. Always true for cluster-scoped objects, except for
 * Namespaces. If the request creates or updates a Namespace, the selector is compared with the new labels of this Namespace. Throws 404 if
 * the namespace does not exist.
 */
export function namespaceMatches({ namespaceSelector }: Selectors, request: AdmissionRequest): boolean {
  if (namespaceSelector.empty) return true;
  if (namespaceOf(request) === '' && !isOnNamespace(request)) return true;
  return namespaceSelector.matches(namespaceLabels(request));
}

/**
 * Whether the objectSelector matches the labels of the new object or of the old object. `object` is the new object with the changes of
 * earlier webhooks.
 */
export function objectMatches(
  { objectSelector }: Selectors,
  { object, old }: { readonly object: JsonObject | undefined; readonly old: JsonObject | undefined },
): boolean {
  if (objectSelector.empty) return true;
  return [object, old].some((each) => each !== undefined && objectSelector.matches(labelsOf(each)));
}

/** Returns the namespace of a request, or undefined for the cluster scope. Throws 404 if the namespace does not exist. */
export function namespaceObject(request: AdmissionRequest): ApiObject | undefined {
  const name = namespaceOf(request);
  if (name === '') return undefined;
  const namespaces = request.registry.builtIn('/v1/namespaces');
  const found = namespaces.find({ name });
  if (found === undefined) throw notFound(namespaces.definition, name);
  return found;
}

function namespaceLabels(request: AdmissionRequest): Readonly<Record<string, string>> {
  const { operation, object } = request;
  const isWritten = operation === 'CREATE' || operation === 'UPDATE';
  if (isOnNamespace(request) && subresourceOf(request) === '' && isWritten && object !== undefined) {
    return labelsOf(object);
  }
  const found = namespaceObject(request);
  return found === undefined ? {} : labelsOf(found);
}

function labelsOf(object: JsonObject): Readonly<Record<string, string>> {
  return objectAt(object, 'metadata', 'labels') as Readonly<Record<string, string>>;
}
