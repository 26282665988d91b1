import { labelSelectorFromObject } from '@kubewright/api/selectors';
import type { AdmissionRequest } from '../../registry/admission/admission-check.js';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import type { ApiObject, JsonObject } from '../../registry/objects/api-object.js';
import { isObject, objectAt, stringAt } from '../../registry/objects/json-object.js';
import { namespaceOf } from '../matching/reviewed-resource.js';

/** Reports a policy or a binding that cannot be used, in the wording of kube-apiserver. */
export class PolicyConfigurationError extends Error {}

/**
 * Returns the definition of the `paramKind` of a policy, or undefined if the policy has no `paramKind`. Throws a PolicyConfigurationError
 * if the server does not serve the kind.
 */
export function paramDefinition(policy: ApiObject, { registry }: AdmissionRequest): ResourceDefinition | undefined {
  const paramKind = objectAt(policy, 'spec')['paramKind'];
  if (!isObject(paramKind)) return undefined;
  const [apiVersion, kind] = [stringAt(paramKind, 'apiVersion'), stringAt(paramKind, 'kind')];
  const found = registry.findKind(apiVersion, kind);
  if (found !== undefined) return found;
  const shown = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  throw new PolicyConfigurationError(`failed to find resource referenced by paramKind: '${shown}, Kind=${kind}'`);
}

/**
 * Returns the parameters with which a binding evaluates its policy. If the policy or the binding has no parameters, returns one undefined
 * entry. If no parameter object exists, returns no entry, or throws a PolicyConfigurationError if the `parameterNotFoundAction` is `Deny`.
 * Also throws a PolicyConfigurationError if the binding and the request do not determine a valid namespace for the parameters.
 */
export function bindingParams(
  binding: ApiObject,
  definition: ResourceDefinition | undefined,
  request: AdmissionRequest,
): readonly (ApiObject | undefined)[] {
  const reference = objectAt(binding, 'spec')['paramRef'];
  if (definition === undefined || !isObject(reference)) return [undefined];
  const params = referenced(reference, definition, request);
  if (params.length === 0 && stringAt(reference, 'parameterNotFoundAction') === 'Deny') {
    throw new PolicyConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
  }
  return params;
}

function referenced(
  reference: JsonObject,
  definition: ResourceDefinition,
  request: AdmissionRequest,
): readonly ApiObject[] {
  const namespace = paramNamespace(reference, definition, request);
  const { store } = request.registry;
  const name = stringAt(reference, 'name');
  if (name !== '') {
    const found = store.get(definition.storageBucket, { namespace, name });
    return found === undefined ? [] : [definition.fromStored(found)];
  }
  const selector = labelSelectorFromObject(objectAt(reference, 'selector'));
  const objects = store.list(definition.storageBucket, { namespace });
  return objects.filter(({ metadata }) => selector.matches(metadata.labels ?? {})).map(definition.fromStored);
}

function paramNamespace(
  reference: JsonObject,
  { namespaced }: ResourceDefinition,
  request: AdmissionRequest,
): string | undefined {
  const given = stringAt(reference, 'namespace');
  if (!namespaced) {
    if (given === '') return undefined;
    throw new PolicyConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  const namespace = given === '' ? namespaceOf(request) : given;
  if (namespace !== '') return namespace;
  throw new PolicyConfigurationError(
    'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
  );
}
