import type { KubeObject } from '@kubewright/api';

/** The fields that can delay the removal of an object that is being deleted. */
interface Leaving {
  readonly metadata: KubeObject['metadata'] & { readonly deletionGracePeriodSeconds?: number };
  /** The spec of a Namespace. */
  readonly spec?: { readonly finalizers?: readonly string[] };
}

/**
 * Returns whether a write removed the object that the server returned: the object is being deleted, without finalizers and without a grace
 * period.
 */
export function isFullyDeleted(object: KubeObject): boolean {
  const { metadata, spec } = object as Leaving;
  const { deletionTimestamp, deletionGracePeriodSeconds: grace = 0, finalizers = [] } = metadata;
  // A Namespace without a known spec may still have finalizers.
  const ofNamespace = object.kind === 'Namespace' ? (spec?.finalizers?.length ?? 1) : 0;
  return deletionTimestamp !== undefined && grace === 0 && finalizers.length === 0 && ofNamespace === 0;
}
