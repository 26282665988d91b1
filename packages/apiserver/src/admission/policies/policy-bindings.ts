import type { AdmissionBindings } from '@kubewright/api/cel';
import type { Authorizer } from '../../authorization/authorizer.js';
import type { AdmissionRequest } from '../../registry/admission/admission-check.js';
import type { ApiObject, JsonObject } from '../../registry/objects/api-object.js';
import { isObject, objectAt } from '../../registry/objects/json-object.js';
import { expressionAuthorizer } from '../matching/expression-authorizer.js';
import { namespaceObject } from '../matching/match-selectors.js';
import type { VersionedObjects } from '../matching/reviewed-objects.js';
import { isOnNamespace, namespaceOf, type ReviewedVersion, subresourceOf } from '../matching/reviewed-resource.js';
import { reviewRequest } from '../matching/review-request.js';

/** The data of a request that the expressions of all policies share. */
export class PolicyBindings {
  readonly #request: AdmissionRequest;
  readonly #authorizer: Authorizer;
  #namespace: { readonly object: JsonObject | undefined } | undefined;

  constructor(request: AdmissionRequest, authorizer: Authorizer) {
    this.#request = request;
    this.#authorizer = authorizer;
  }

  /**
   * Returns the values of the variables in the expressions of a policy. Does not include `namespaceObject`, which match conditions cannot
   * read.
   */
  of(version: ReviewedVersion, objects: VersionedObjects, params: ApiObject | undefined): AdmissionBindings {
    const request = this.#request;
    const { group, plural: resource } = request.definition;
    const { name, context } = request;
    return {
      ...objects,
      request: reviewRequest(request, version),
      params,
      authorize: expressionAuthorizer(this.#authorizer, context.user),
      requestResource: { group, resource, subresource: subresourceOf(request), namespace: namespaceOf(request), name },
    };
  }

  /**
   * The variable `namespaceObject`. Undefined for Namespaces and for cluster-scoped objects. Throws 404 if the namespace of the request
   * does not exist.
   */
  get namespace(): JsonObject | undefined {
    if (isOnNamespace(this.#request)) return undefined;
    this.#namespace ??= { object: exposed(namespaceObject(this.#request)) };
    return this.#namespace.object;
  }
}

const hidden = ['managedFields', 'ownerReferences', 'selfLink'];

/** Returns a namespace without its apiVersion and kind, and without the metadata that expressions cannot read. */
function exposed(namespace: ApiObject | undefined): JsonObject | undefined {
  if (namespace === undefined) return undefined;
  const { spec, status } = namespace;
  const metadata = Object.entries(objectAt(namespace, 'metadata')).filter(([field]) => !hidden.includes(field));
  return {
    metadata: Object.fromEntries(metadata),
    ...(isObject(spec) && { spec }),
    ...(isObject(status) && { status }),
  };
}
