import { isObject } from '@kubewright/api/json';

export { isObject, numberAt, objectAt, objectsAt, stringAt, valueAt } from '@kubewright/api/json';

/** A plain JSON object that nobody writes to. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A JSON object that belongs to the function that holds it, and may be written to. */
export type JsonDraft = Record<string, unknown>;

/** Metadata as the server keeps it. */
export interface ApiObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly generateName?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly generation?: number;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly unknown[];
}

/** Who owns an object, as its metadata says. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
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
