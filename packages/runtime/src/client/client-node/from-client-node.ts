import type { KindRef, KubeObject } from '@kubewright/api';
import { kindOf } from '@kubewright/api/metadata';
import { wireValue } from './model-fields.js';

/** An object of client-node: a `V1Pod`, a list item without apiVersion and kind, or an untyped object. */
export interface ClientNodeObject {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: object | undefined;
}

/**
 * Converts an object of client-node to an object of Kubewright. Dates become RFC 3339 text, and fields get their JSON names. Adds the
 * apiVersion and kind, which client-node omits from the items of a list.
 *
 * @example
 * import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
 * import { Pod } from '@kubewright/api/core/v1';
 * import { fromClientNode } from '@kubewright/runtime';
 *
 * const config = new KubeConfig();
 * config.loadFromDefault();
 * const core = config.makeApiClient(CoreV1Api);
 * const { items } = await core.listNamespacedPod({ namespace: 'default' });
 * const pods = items.map((item) => fromClientNode(Pod, item));
 */
export function fromClientNode<T extends KubeObject>(kind: KindRef<T>, object: ClientNodeObject): T {
  const { apiVersion, kind: name } = kindOf(kind);
  return { ...(wireValue(object) as object), apiVersion, kind: name } as unknown as T;
}
