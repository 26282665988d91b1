/** The fields of an object that never have an owner: the fields that identify its type, and the metadata as a whole. */
export const UNTRACKED_ROOT: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** The fields of the metadata that never have an owner: fields that identify the object, and fields that only the API server writes. */
export const UNTRACKED_METADATA: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
]);
