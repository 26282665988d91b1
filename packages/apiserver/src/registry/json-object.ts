import type { ObjectMeta } from '@kubewright/api';
import { emptyObject, isObject } from '@kubewright/api/json';

export type { OwnerReference } from '@kubewright/api';
export {
  copyJson,
  emptyObject,
  isObject,
  type JsonObject,
  nameTable,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  valueAt,
} from '@kubewright/api/json';

/** A JSON object that its holder owns and may change. */
export type JsonDraft = Record<string, unknown>;

/** The metadata of a stored object. */
export interface ApiObjectMeta extends ObjectMeta {
  readonly generateName?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly managedFields?: readonly unknown[];
}

/** An object that the registry returns: complete, and frozen if it is a stored object. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ApiObjectMeta;
  readonly [field: string]: unknown;
}

/** An incoming object. The request owns the object, and only the metadata is guaranteed to be present. */
export interface DraftObject {
  apiVersion: string;
  kind: string;
  metadata: DraftMeta;
  [field: string]: unknown;
}

/** Metadata that can be changed. */
export type DraftMeta = { -readonly [K in keyof ApiObjectMeta]?: ApiObjectMeta[K] | undefined };

/** Whether an object is empty. */
export function hasNoFields(object: object): boolean {
  for (const key in object) if (Object.hasOwn(object, key)) return false;
  return true;
}

/** Returns the object at the path of a draft. Creates missing objects on the path. */
export function madeAt(draft: JsonDraft, ...path: readonly string[]): JsonDraft {
  let current = draft;
  for (const step of path) {
    const next = current[step];
    if (isObject(next)) {
      current = next;
    } else {
      const made = emptyObject();
      current[step] = made;
      current = made;
    }
  }
  return current;
}
