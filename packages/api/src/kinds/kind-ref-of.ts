import { KubewrightError } from '../errors/kubewright-error.js';
import type { KindRef, KubeObject } from '../objects/kube-object.js';
import { dynamicKind } from './dynamic-kind.js';

/**
 * Returns a kind for an object whose class is not known, from its `apiVersion` and `kind`. Discovery resolves the plural and the scope.
 * @throws KubewrightError INVALID_KIND if the `apiVersion` or the `kind` of the object is missing or not valid
 */
export function kindRefOf<T extends KubeObject>(object: T): KindRef<T> {
  const { apiVersion, kind } = object;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    const name = object.metadata?.name;
    throw new KubewrightError(
      'INVALID_KIND',
      `the object${name === undefined ? '' : ` '${name}'`} has no 'apiVersion' or no 'kind'; set both as in a manifest, or use fromClientNode(Kind, object) for an object of client-node`,
    );
  }
  return dynamicKind<T>(apiVersion, kind);
}
