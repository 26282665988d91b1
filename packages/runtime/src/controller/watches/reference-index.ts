import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { type Index, index } from '../../cache/store/index-declaration.js';
import { formatKey } from '../../cache/store/object-key.js';
import type { ReferenceWatch } from './watch-declaration.js';

export interface ReferenceIndexOptions {
  /** The kind that the controller reconciles. */
  readonly kind: KindRef;
  /** The name of the index, unique among the indexes of the kind. */
  readonly name: string;
  /** Whether the referenced kind is namespaced. */
  readonly namespaced: boolean;
  /** Called with the error of the function that returns the references. The index then omits the object. */
  readonly onError: (object: KubeObject, error: unknown) => void;
}

/** Returns the index of the reconciled kind by the keys of the referenced objects. */
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
 * Returns the keys of the references in `named`. A reference without a namespace gets the namespace of the object. Omits undefined
 * references and empty names.
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
