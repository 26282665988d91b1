export type { Default, Init } from './objects/default.js';
export type { KindRef, KubeObject, MetaInit, ObjectKey, ObjectMeta, OwnerReference, StatusOf } from './objects/kube-object.js';
export { mutable } from './objects/mutable.js';
export type { DeepReadonly, Draft } from './objects/readonly.js';
