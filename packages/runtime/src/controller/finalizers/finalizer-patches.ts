import type { KubeObject } from '@kubewright/api';

/** One operation of a JSON patch. */
export interface JsonPatchOperation {
  readonly op: 'test' | 'add' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

/**
 * Returns the JSON patch that adds finalizers. The server rejects the patch if the object was recreated or another writer changed its
 * finalizers. If the object has no finalizers, the server rejects the patch after any change of the object.
 */
export function finalizerAddition(
  { metadata }: KubeObject,
  finalizers: readonly string[],
): readonly JsonPatchOperation[] {
  const same: JsonPatchOperation = { op: 'test', path: '/metadata/uid', value: metadata.uid };
  if (metadata.finalizers === undefined || metadata.finalizers.length === 0) {
    return [
      same,
      { op: 'test', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
      { op: 'add', path: '/metadata/finalizers', value: finalizers },
    ];
  }
  return [
    same,
    { op: 'test', path: '/metadata/finalizers', value: metadata.finalizers },
    ...finalizers.map((value) => ({ op: 'add', path: '/metadata/finalizers/-', value }) as const),
  ];
}

/**
 * Returns the JSON patch that removes finalizers. The server rejects the patch if the object was recreated, or if the positions of these
 * finalizers changed.
 */
export function finalizerRemoval(
  { metadata }: KubeObject,
  finalizers: readonly string[],
): readonly JsonPatchOperation[] {
  const places = (metadata.finalizers ?? []).map((value, at) => ({ value, path: `/metadata/finalizers/${at}` }));
  const ours = places.filter(({ value }) => finalizers.includes(value)).toReversed();
  return [
    { op: 'test', path: '/metadata/uid', value: metadata.uid },
    ...ours.flatMap(({ value, path }) => [{ op: 'test', path, value } as const, { op: 'remove', path } as const]),
  ];
}
