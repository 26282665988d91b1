import type { KubeObject } from '@kubewright/api';

/** Transforms an object before it is stored. The transform must be idempotent. */
export type Transform<T extends KubeObject = KubeObject> = (object: T) => KubeObject;
