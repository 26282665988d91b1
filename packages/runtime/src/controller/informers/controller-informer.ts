import type { KindRef, KubeObject } from '@kubewright/api';
import type { AcquireOptions } from '../../cache/informer/acquire-options.js';
import type { InformerHandle } from '../../cache/informer/informer-handle.js';

/**
 * The members of an `InformerHandle` that a controller uses. A controller that reconciles keys has no kind to watch, and uses a
 * `KeyInformer` instead, which has the same members.
 */
export type ControllerInformer<T extends KubeObject> = Pick<
  InformerHandle<T>,
  | 'addHandler'
  | 'addIndex'
  | 'byIndex'
  | 'caughtUp'
  | 'epoch'
  | 'get'
  | 'list'
  | 'onStatus'
  | 'removeIndex'
  | 'selectKeys'
  | 'status'
  | 'synced'
  | 'wrote'
  | typeof Symbol.asyncDispose
>;

/** Opens the informers of a controller. `InformerCache` implements this interface. */
export interface ControllerInformers {
  /** Opens the informer of a kind, or shares an open informer. See `InformerCache.acquire`. */
  acquire<T extends KubeObject>(kind: KindRef<T>, options?: AcquireOptions<T>): Promise<ControllerInformer<T>>;
}
