import type { KindRef, KubeObject } from '../objects/kube-object.js';
import { dynamicKind } from './dynamic-kind.js';

/**
 * A kind for an object of which the class is not known, from its `apiVersion` and `kind`; plural and scope are left to discovery.
 * @throws KubewrightError INVALID_KIND when the object has no usable `apiVersion` and `kind`
 */
export function kindRefOf<T extends KubeObject>(object: T): KindRef<T> {
  return dynamicKind<T>(object.apiVersion, object.kind);
}
