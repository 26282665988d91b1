import type { KubeObject } from '@kubewright/api';

/** The fields of an object that can delay its removal after a deletion. */
interface Leaving {
  readonly metadata: KubeObject['metadata'] & { readonly deletionGracePeriodSeconds?: number };
  /** The spec of a Namespace. */
  readonly spec?: { readonly finalizers?: readonly string[] };
}

/**
 * Returns whether the server has removed an object that it returned in response to a write. This is the case if the object has a deletion
 * timestamp, no finalizers, and no grace period. A Namespace must also have no finalizers in its spec.
 */
export function isFullyDeleted(object: KubeObject): boolean {
  const { metadata, spec } = object as Leaving;
  const { deletionTimestamp, deletionGracePeriodSeconds: grace = 0, finalizers = [] } = metadata;
  // If the spec of a Namespace is not known, it may have finalizers.
  const ofNamespace = object.kind === 'Namespace' ? (spec?.finalizers?.length ?? 1) : 0;
  return deletionTimestamp !== undefined && grace === 0 && finalizers.length === 0 && ofNamespace === 0;
}
