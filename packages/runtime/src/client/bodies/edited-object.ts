import { type Draft, type KubeObject, mutable } from '@kubewright/api';
import { isJsonObject, type JsonObject } from '@kubewright/api/json';
import { mergePatch } from '@kubewright/api/patch';
import { hasList, withoutUndefined } from '../requests/json-value.js';

/**
 * Returns the smallest merge patch that makes the edits, except edits of the status. Returns undefined if the patch would be empty. Adds
 * the resourceVersion if `optimistic` is true, or if the patch contains a list, because a merge patch replaces the whole list.
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

/**
 * Adds the resourceVersion of the object, if any, to a patch. The server then rejects the patch if the stored object has another version.
 */
export function withVersion(patch: JsonObject, object: KubeObject): JsonObject {
  const { resourceVersion } = object.metadata;
  if (resourceVersion === undefined) return patch;
  const metadata = isJsonObject(patch.metadata) ? patch.metadata : {};
  return { ...patch, metadata: { ...metadata, resourceVersion } };
}
