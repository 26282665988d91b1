import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { type Index, index } from '../../cache/index-declaration.js';
import { formatKey } from '../../cache/object-key.js';
import type { ReferenceWatch } from './watch-declaration.js';

export interface ReferenceIndexOptions {
  /** The kind that is reconciled. */
  readonly kind: KindRef;
  /** Tells this index from others of the same kind. */
  readonly name: string;
  /** Whether objects of the kind that is named are in namespaces. */
  readonly namespaced: boolean;
  /** Called with what the author's function threw; the object then names nothing. */
  readonly onError: (object: KubeObject, error: unknown) => void;
}

/** The index of the reconciled kind by the keys of the objects that each names. */
export function referenceIndex(watch: ReferenceWatch, options: ReferenceIndexOptions): Index<KubeObject> {
  return index<KubeObject>(options.kind, options.name, (object) => {
    try {
      return namedKeys(watch.keys(object), object, options.namespaced);
    } catch (error) {
      options.onError(object, error);
      return undefined;
    }
  });
}

function namedKeys(
  named: ReturnType<ReferenceWatch['keys']>,
  object: KubeObject,
  namespaced: boolean,
): readonly string[] {
  const keys = Array.isArray(named)
    ? (named as readonly (ObjectKey | string)[])
    : [named as ObjectKey | string | undefined];
  const texts: string[] = [];
  for (const key of keys) {
    if (key === undefined || key === '') continue;
    const { name, namespace } = typeof key === 'string' ? { name: key, namespace: undefined } : key;
    if (name === '') continue;
    texts.push(formatKey({ name, namespace: namespaced ? (namespace ?? object.metadata.namespace) : undefined }));
  }
  return texts;
}
