import type { KubeObject } from '@kubewright/api';

/** One operation of a JSON patch. */
export interface JsonPatchOperation {
  readonly op: 'test' | 'add' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

export function hasFinalizer(object: KubeObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}

/** The patch that adds the finalizer; refused by the server when another writer changed the list meanwhile. */
export function addFinalizer({ metadata }: KubeObject, finalizer: string): readonly JsonPatchOperation[] {
  const same: JsonPatchOperation = { op: 'test', path: '/metadata/uid', value: metadata.uid };
  if (metadata.finalizers === undefined || metadata.finalizers.length === 0) {
    return [
      same,
      { op: 'test', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
      { op: 'add', path: '/metadata/finalizers', value: [finalizer] },
    ];
  }
  return [
    same,
    { op: 'test', path: '/metadata/finalizers', value: metadata.finalizers },
    { op: 'add', path: '/metadata/finalizers/-', value: finalizer },
  ];
}

/** The patch that takes the finalizer away; refused by the server when it is no longer at its place. */
export function removeFinalizer({ metadata }: KubeObject, finalizer: string): readonly JsonPatchOperation[] {
  const at = metadata.finalizers?.indexOf(finalizer) ?? -1;
  const path = `/metadata/finalizers/${at}`;
  return [
    { op: 'test', path: '/metadata/uid', value: metadata.uid },
    { op: 'test', path, value: finalizer },
    { op: 'remove', path },
  ];
}
