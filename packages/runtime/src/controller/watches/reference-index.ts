import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { type Index, index } from '../../cache/store/index-declaration.js';
import { formatKey } from '../../cache/store/object-key.js';
import type { ReferenceWatch } from './watch-declaration.js';

export interface ReferenceIndexOptions {
  /** The kind that the controller reconciles. */
  readonly kind: KindRef;
  /** The name of the index, which must be unique among the indexes of the kind. */
  readonly name: string;
  /** Whether the referenced kind is namespaced. */
  readonly namespaced: boolean;
  /** Called if the function that returns the references throws. The index then contains no references of this object. */
  readonly onError: (object: KubeObject, error: unknown) => void;
}

/** Returns the index that finds the reconciled objects by the key of an object that they reference. */
export function referenceIndex(watch: ReferenceWatch, options: ReferenceIndexOptions): Index<KubeObject> {
  return index<KubeObject>(options.kind, options.name, (object) => {
    try {
      const keys = referencedKeys(watch.keys(object), object);
      return keys.map(({ name, namespace }) =>
        formatKey({ name, namespace: options.namespaced ? namespace : undefined }),
      );
    } catch (error) {
      options.onError(object, error);
      return undefined;
    }
  });
}

/**
 * Returns the keys of the references that an object names. Adds the namespace of the object to references without a namespace. Omits
 * undefined references and empty names.
 */
export function referencedKeys(named: ReturnType<ReferenceWatch['keys']>, object: KubeObject): readonly ObjectKey[] {
  const keys = Array.isArray(named)
    ? (named as readonly (ObjectKey | string)[])
    : [named as ObjectKey | string | undefined];
  const found: ObjectKey[] = [];
  for (const key of keys) {
    if (key === undefined || key === '') continue;
    const { name, namespace } = typeof key === 'string' ? { name: key, namespace: undefined } : key;
    if (name !== '') found.push({ name, namespace: namespace ?? object.metadata.namespace });
  }
  return found;
}
