import type { KubeObject } from '@kubewright/api';

/** Changes an object before it is stored in the cache, and returns the object to store. Must be idempotent. */
export type Transform<T extends KubeObject = KubeObject> = (object: T) => KubeObject;
