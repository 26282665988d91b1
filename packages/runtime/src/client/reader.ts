import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import type { ListOptions } from '../cache/list-options.js';

/** Get and list. Everything that is read is frozen. */
export interface Reader {
  /** Throws an error that `isNotFound` knows. */
  get<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey): Promise<T>;
  find<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey): Promise<T | undefined>;
  list<T extends KubeObject>(kind: KindRef<T>, options?: ListOptions<NoInfer<T>>): Promise<readonly T[]>;
}
