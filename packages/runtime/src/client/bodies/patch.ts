import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { JsonObject } from '@kubewright/api/json';
import type { JsonPatchOperation } from '@kubewright/api/patch';
import { withVersion } from './edited-object.js';
import { describe } from '../requests/target.js';

/** The fields that a merge patch changes. Null removes a field. A list replaces the whole list. */
export type MergePatch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: MergePatch<T[K]> | null }
    : T;

/**
 * A merge patch, a strategic merge patch or a JSON patch. The client sends the patch unchanged; only `optimistic` adds the resourceVersion.
 * A strategic merge patch merges lists by key. Custom resources do not support strategic merge patches.
 */
export type Patch<T> =
  | { readonly merge: MergePatch<T> }
  | { readonly strategicMerge: JsonObject }
  | { readonly json: readonly JsonPatchOperation[] };

/** The body of a patch request and its content type. */
export interface PatchBody {
  readonly body: unknown;
  readonly contentType: string;
}

export const MERGE_PATCH = 'application/merge-patch+json';

/**
 * Returns the body of a patch. If `versionOf` is given, the server accepts the patch only if the stored object has the version of
 * `versionOf`. Throws VERSION_REQUIRED if `versionOf` has no resourceVersion, and INVALID_PATCH if the patch has none of the known types.
 */
export function patchBody<T>(patch: Patch<T>, versionOf: KubeObject | undefined): PatchBody {
  if (versionOf !== undefined) assertVersion(versionOf);
  const bound = (body: JsonObject): JsonObject => (versionOf === undefined ? body : withVersion(body, versionOf));
  if ('merge' in patch) return { body: bound(patch.merge as JsonObject), contentType: MERGE_PATCH };
  if ('strategicMerge' in patch) {
    return { body: bound(patch.strategicMerge), contentType: 'application/strategic-merge-patch+json' };
  }
  if (!('json' in patch)) {
    throw new KubewrightError(
      'INVALID_PATCH',
      'cannot patch an object: pass { merge: … }, { strategicMerge: … } or { json: … }, or pass client.patch a function that edits a draft',
    );
  }
  return { body: [...versionOperations(versionOf), ...patch.json], contentType: 'application/json-patch+json' };
}

/**
 * Returns JSON patch operations that make the server reject the patch if the stored object has another version. Uses `replace`, because the
 * server then answers with a conflict. After a failed `test` operation, the server would report an invalid patch.
 */
function versionOperations(object: KubeObject | undefined): readonly JsonPatchOperation[] {
  if (object === undefined) return [];
  return [{ op: 'replace', path: '/metadata/resourceVersion', value: object.metadata.resourceVersion }];
}

/** Throws VERSION_REQUIRED for an object without a resourceVersion. */
export function assertVersion({ kind, metadata }: KubeObject): void {
  if (metadata.resourceVersion) return;
  throw new KubewrightError(
    'VERSION_REQUIRED',
    `cannot check whether ${describe(kind, metadata)} has changed since it was read: it has no resourceVersion; pass the object as returned by the server`,
  );
}
