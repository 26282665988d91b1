import type { KindRef, KubeObject, ObjectKey, ObjectOf } from '@kubewright/api';
import type { ListOptions } from '../../cache/store/list-options.js';
import type { ReadOptions } from '../../cache/store/read-options.js';

/** Reads objects. All results are frozen. */
export interface Reader {
  /** Returns one object. If the object does not exist, throws an error for which `isNotFound` returns true. */
  get<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options?: ReadOptions): Promise<T>;
  get<K extends KindRef>(kind: K, key: ObjectKey, options?: ReadOptions): Promise<ObjectOf<K>>;
  /** Same as `get`, but returns undefined if the object does not exist. */
  find<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options?: ReadOptions): Promise<T | undefined>;
  find<K extends KindRef>(kind: K, key: ObjectKey, options?: ReadOptions): Promise<ObjectOf<K> | undefined>;
  /** Lists all selected objects, in no particular order. */
  list<T extends KubeObject>(kind: KindRef<T>, options?: ListOptions<NoInfer<T>>): Promise<readonly T[]>;
}
