import type { KubeObject } from '@kubewright/api';

/**
 * The reference from an Event to an object. Does not contain the resourceVersion, so that equal events stay equal when the object changes.
 */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly fieldPath?: string;
}

/** Returns the reference to an object; undefined for an object without apiVersion, kind or name. */
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
