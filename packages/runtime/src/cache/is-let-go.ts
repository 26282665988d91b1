import type { KubeObject } from '@kubewright/api';

/** What may hold an object that is being deleted. */
interface Leaving {
  readonly metadata: KubeObject['metadata'] & { readonly deletionGracePeriodSeconds?: number };
  /** Those of a Namespace. */
  readonly spec?: { readonly finalizers?: readonly string[] };
}

/** Whether an object that a write was answered with is gone by that write: it is being deleted, and nothing holds it any more. */
export function isLetGo(object: KubeObject): boolean {
  const { metadata, spec } = object as Leaving;
  const { deletionTimestamp, deletionGracePeriodSeconds: grace = 0, finalizers = [] } = metadata;
  // Of a Namespace whose spec is not known, it is not known either.
  const ofNamespace = object.kind === 'Namespace' ? (spec?.finalizers?.length ?? 1) : 0;
  return deletionTimestamp !== undefined && grace === 0 && finalizers.length === 0 && ofNamespace === 0;
}
