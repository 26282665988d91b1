import type { ObjectMeta } from '@kubewright/api';
import { isObject } from '@kubewright/api/json';

export type { OwnerReference } from '@kubewright/api';
export {
  isObject,
  type JsonObject,
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

/** The object at the path of a draft, made where it is missing. */
export function madeAt(draft: JsonDraft, ...path: readonly string[]): JsonDraft {
  let current = draft;
  for (const step of path) {
    const next = current[step];
    if (isObject(next)) {
      current = next;
    } else {
      const made: JsonDraft = {};
      current[step] = made;
      current = made;
    }
  }
  return current;
}

/** A deep copy of a JSON value; fields that are undefined, which JSON does not know, are left out. */
export function copyJson<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyJson) as T;
  if (!isObject(value)) return value;
  const copy: JsonDraft = {};
  for (const key of Object.keys(value)) if (value[key] !== undefined) copy[key] = copyJson(value[key]);
  return copy as T;
}
