import type { AdmissionRequest } from '../../registry/admission/admission-check.js';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';

/** A resource in one version, with the fields that the rules of policies and webhooks match. */
export type VersionedResource = Pick<ResourceDefinition, 'group' | 'version' | 'plural'>;

/** The version of a request that a policy or a webhook reviews. */
export interface ReviewedVersion {
  /** The resource. Its version can differ from the version of the request. */
  readonly resource: VersionedResource;
  /** The definition of the kind of the objects in this version. */
  readonly kind: ResourceDefinition;
}

const namespaceBucket = '/namespaces';

/** Returns the version in which the client sent the request. */
export function requestedVersion({ definition, kind }: AdmissionRequest): ReviewedVersion {
  return { resource: definition, kind };
}

/** Returns the subresource of the request, or ''. */
export function subresourceOf({ context }: AdmissionRequest): string {
  return context.subresource ?? '';
}

/** Returns the namespace of the request, or '' for the cluster scope. For a request on a Namespace, returns the name of this Namespace. */
export function namespaceOf({ definition, key, name }: AdmissionRequest): string {
  if (definition.storageBucket === namespaceBucket) return name;
  return definition.namespaced ? (key.namespace ?? '') : '';
}

/** Whether the request is about a Namespace or one of its subresources. */
export function isOnNamespace({ definition }: AdmissionRequest): boolean {
  return definition.storageBucket === namespaceBucket;
}

const exempt: ReadonlySet<string> = new Set([
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]);

/**
 * Returns true for the resources that configure policies and webhooks. Policies and webhooks do not review these resources. Otherwise, a
 * policy or webhook could prevent the correction of its own configuration.
 */
export function isExempt({ definition }: AdmissionRequest): boolean {
  return definition.group === 'admissionregistration.k8s.io' && exempt.has(definition.plural);
}
