import { controllerOf, type KindRef, type KubeObject } from '@kubewright/api';
import { type Index, index } from '../../cache/store/index-declaration.js';

const INDEX_NAME = 'kubewright.dev/owner';
const indexes = new WeakMap<KindRef, Index<KubeObject>>();

/** Returns the index of a kind by the uid of the controller owner. */
export function ownerIndex<T extends KubeObject>(kind: KindRef<T>): Index<T> {
  const known = indexes.get(kind) ?? index<KubeObject>(kind, INDEX_NAME, ownerUid);
  indexes.set(kind, known);
  return known;
}

function ownerUid(object: KubeObject): string | undefined {
  return controllerOf(object)?.uid;
}
