import type { KindRef, KubeObject } from '@kubewright/api';
import type { AcquireOptions } from '../../cache/informer/acquire-options.js';
import type { InformerHandle } from '../../cache/informer/informer-handle.js';

/**
 * The informer of a controller: the members of an `InformerHandle` that a controller uses. `KeyInformer` has the same members for a key
 * controller, which has no kind to watch.
 */
export type ControllerInformer<T extends KubeObject> = Pick<
  InformerHandle<T>,
  | 'addHandler'
  | 'addIndex'
  | 'byIndex'
  | 'caughtUp'
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
  /** Opens or shares the informer of a kind, as `InformerCache.acquire`. */
  acquire<T extends KubeObject>(kind: KindRef<T>, options?: AcquireOptions<T>): Promise<ControllerInformer<T>>;
}

/**
 * Returns the epoch of an informer. Between two equal epochs, each version arrives as a separate change. Returns undefined while one change
 * may combine several versions.
 */
export function epochOf({ status }: ControllerInformer<KubeObject>): number | undefined {
  return status.state.name === 'watching' ? status.lists : undefined;
}
