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

/** A JSON object that belongs to the function that holds it, and may be written to. */
export type JsonDraft = Record<string, unknown>;

/** Metadata as the server keeps it. */
export interface ApiObjectMeta extends ObjectMeta {
  readonly generateName?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly managedFields?: readonly unknown[];
}

/** An object as the registry hands it out: complete, and frozen when it came from the store. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ApiObjectMeta;
  readonly [field: string]: unknown;
}

/** An object on its way in: owned by the request, metadata present, nothing else promised. */
export interface DraftObject {
  apiVersion: string;
  kind: string;
  metadata: DraftMeta;
  [field: string]: unknown;
}

/** Metadata that may still be written to. */
export type DraftMeta = { -readonly [K in keyof ApiObjectMeta]?: ApiObjectMeta[K] | undefined };

/** Whether an object has no fields. */
export function hasNoFields(object: object): boolean {
  for (const key in object) if (Object.hasOwn(object, key)) return false;
  return true;
}

/** The object at the path of a draft, made where it is missing. */
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
