import type { KubeObject, ObjectKey } from '@kubewright/api';
import type { PlannedEvent, PlannedWrite } from '../../client/plan/planned-write.js';

/** The argument of `manager.plan`: which reconcile to plan. */
export interface PlanRequest {
  /** The name of a controller in the manager, or its class name. @default the only controller */
  readonly controller?: string;
  /** The key of the object to reconcile. Required if `suppose` is not set. */
  readonly key?: ObjectKey;
  /** An object to reconcile as if it had just been applied. The object need not exist in the cluster. @default the object in the cluster */
  readonly suppose?: KubeObject;
}

/** The result of a planned reconcile. */
export type PlannedOutcome =
  | { readonly kind: 'done' | 'requeue' }
  | { readonly kind: 'requeueAfter'; readonly delayMs: number }
  | { readonly kind: 'requeueAt'; readonly moment: string }
  /** The object was deleted, or is being deleted and has no finalizer of this controller. The controller has nothing to do. */
  | { readonly kind: 'forgotten' }
  | { readonly kind: 'paused'; readonly until: string }
  | { readonly kind: 'conflict' | 'error'; readonly message: string };

/** The result of `manager.plan`: the writes, the events and the result of one reconcile. */
export interface Plan {
  readonly controller: string;
  /** The kind and the key of the reconciled object, such as 'VirtualMachine default/web'. */
  readonly object: string;
  /**
   * The planned writes in the order in which the reconcile requested them. Includes finalizers and conditions that the controller itself
   * writes.
   */
  readonly writes: readonly PlannedWrite[];
  readonly events: readonly PlannedEvent[];
  readonly outcome: PlannedOutcome;
}
