import type { KubeObject } from '@kubewright/api';

/** The reference of an Event to its object. Does not contain the resourceVersion, so that events remain equal when the object changes. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly fieldPath?: string;
}

/** Returns the reference to an object. Returns undefined if the object lacks an apiVersion, a kind or a name. */
export function referenceTo(
  { apiVersion, kind, metadata }: KubeObject,
  fieldPath?: string,
): ObjectReference | undefined {
  const { name, namespace, uid } = (metadata as Partial<KubeObject['metadata']> | undefined) ?? {};
  if (!apiVersion || !kind || !name) return undefined;
  return {
    apiVersion,
    kind,
    name,
    ...(namespace && { namespace }),
    ...(uid && { uid }),
    ...(fieldPath && { fieldPath }),
  };
}
