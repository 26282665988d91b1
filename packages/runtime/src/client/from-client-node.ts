import type { KindRef, KubeObject } from '@kubewright/api';
import { kindOf } from '@kubewright/api/metadata';
import { wireValue } from './model-fields.js';

/** An object as client-node reads it: a `V1Pod`, an item of a list without kind and version, or an untyped object. */
export interface ClientNodeObject {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: object | undefined;
}

/**
 * Returns an object that client-node read as Kubewright has it: dates as RFC 3339 text, fields under the names of the wire, and with
 * kind and version, which client-node leaves out of the items of a list.
 *
 * @example
 * import { CoreV1Api } from '@kubernetes/client-node';
 * import { Pod } from '@kubewright/api/core/v1';
 * import { fromClientNode } from '@kubewright/runtime';
 *
 * const { items } = await core.listNamespacedPod({ namespace: 'default' });
 * const pods = items.map((item) => fromClientNode(Pod, item));
 */
export function fromClientNode<T extends KubeObject>(kind: KindRef<T>, object: ClientNodeObject): T {
  const { apiVersion, kind: name } = kindOf(kind);
  return { ...(wireValue(object) as object), apiVersion, kind: name } as unknown as T;
}
