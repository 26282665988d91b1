import type { KindRef, KubeObject, ObjectKey, ObjectOf } from '@kubewright/api';
import type { ListOptions } from '../cache/list-options.js';
import type { ReadOptions } from '../cache/read-options.js';

/** Get and list. Everything that is read is frozen. */
export interface Reader {
  /** Throws an error that `isNotFound` knows. */
  get<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options?: ReadOptions): Promise<T>;
  get<K extends KindRef>(kind: K, key: ObjectKey, options?: ReadOptions): Promise<ObjectOf<K>>;
  /** As `get`, and undefined where there is no such object. */
  find<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options?: ReadOptions): Promise<T | undefined>;
  find<K extends KindRef>(kind: K, key: ObjectKey, options?: ReadOptions): Promise<ObjectOf<K> | undefined>;
  /** All objects that are selected, in no order. */
  list<T extends KubeObject>(kind: KindRef<T>, options?: ListOptions<NoInfer<T>>): Promise<readonly T[]>;
}
