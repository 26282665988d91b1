import type { ApiObject, JsonObject } from '../../objects/api-object.js';
import { objectAt, stringAt } from '../../objects/json-object.js';

/** The deprecated annotation for the storage class of a volume or claim. The field storageClassName replaces it. */
export const oldStorageClass = 'volume.beta.kubernetes.io/storage-class';
/** The annotation of the default StorageClass. */
export const defaultClassAnnotation = 'storageclass.kubernetes.io/is-default-class';
/** The deprecated form of `defaultClassAnnotation`. */
const oldDefaultClassAnnotation = 'storageclass.beta.kubernetes.io/is-default-class';

/** Whether the StorageClass is a default class: whether `defaultClassAnnotation` or its deprecated form has the value `true`. */
export function isDefaultClass({ metadata: { annotations } }: ApiObject): boolean {
  return [defaultClassAnnotation, oldDefaultClassAnnotation].some((name) => annotations?.[name] === 'true');
}

/** Returns the class of a volume or claim: the class in the deprecated annotation, or else the storageClassName; '' for no class. */
export function storageClassOf(object: JsonObject): string {
  const annotated = objectAt(object, 'metadata', 'annotations')[oldStorageClass];
  return typeof annotated === 'string' ? annotated : stringAt(object, 'spec', 'storageClassName');
}

/** Returns the warning about the deprecated annotation for the storage class of a volume or claim. */
export function oldStorageClassWarnings({ metadata: { annotations } }: ApiObject): readonly string[] {
  if (annotations?.[oldStorageClass] === undefined) return [];
  return [`metadata.annotations[${oldStorageClass}]: deprecated since v1.8; use "storageClassName" attribute instead`];
}
