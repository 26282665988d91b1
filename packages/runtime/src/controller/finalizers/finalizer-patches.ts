import type { KubeObject } from '@kubewright/api';

/** One operation of a JSON patch. */
export interface JsonPatchOperation {
  readonly op: 'test' | 'add' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

/** Returns the patch that adds finalizers. The server refuses the patch if another writer changed the list of finalizers. */
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

/** Returns the patch that removes finalizers. The server refuses the patch if their positions changed. */
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
