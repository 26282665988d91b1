import { type Draft, type KubeObject, mutable } from '@kubewright/api';
import { isJsonObject, type JsonObject } from '@kubewright/api/json';
import { mergePatch } from '@kubewright/api/patch';
import { hasList, withoutUndefined } from './json-value.js';

/**
 * The smallest merge patch that makes the edits, without status; undefined when there are none. It carries the version when a list is in
 * it, which a merge patch can only replace as a whole, or when `optimistic` asks for it.
 */
export function patchOfEdits<T extends KubeObject>(
  object: T,
  edit: (draft: Draft<T>) => void,
  optimistic: boolean,
): JsonObject | undefined {
  const before = mutable(object);
  const draft = mutable(object);
  edit(draft);
  const { status: _before, ...from } = withoutUndefined(before) as JsonObject;
  const { status: _after, ...to } = withoutUndefined(draft) as JsonObject;
  const patch = mergePatch(from, to);
  if (!isJsonObject(patch)) return undefined;
  return optimistic || hasList(patch) ? withVersion(patch, object) : patch;
}

/** The patch, valid only for the version that the object has. */
export function withVersion(patch: JsonObject, object: KubeObject): JsonObject {
  const { resourceVersion } = object.metadata;
  if (resourceVersion === undefined) return patch;
  const metadata = isJsonObject(patch.metadata) ? patch.metadata : {};
  return { ...patch, metadata: { ...metadata, resourceVersion } };
}
