import type { KubeObject } from '@kubewright/api';

/** Which object an Event is about; without its version, so that equal events stay equal when the object changes. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly fieldPath?: string;
}

/** The reference to an object; undefined for what does not say its kind and name. */
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
