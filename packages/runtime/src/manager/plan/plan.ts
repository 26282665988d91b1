import type { KubeObject, ObjectKey } from '@kubewright/api';
import type { PlannedEvent, PlannedWrite } from '../../client/plan/planned-write.js';

/** Which reconcile is planned. */
export interface PlanRequest {
  /** The name of a controller that was added, or its class. @default the only one there is */
  readonly controller?: string;
  /** Of the object. Not needed with `suppose`. */
  readonly key?: ObjectKey;
  /** An object that is taken to have been applied just before, whether it is there or not. @default what the cluster has */
  readonly suppose?: KubeObject;
}

/** How a planned reconcile ended. */
export type PlannedOutcome =
  | { readonly kind: 'done' | 'requeue' }
  | { readonly kind: 'requeueAfter'; readonly delayMs: number }
  | { readonly kind: 'requeueAt'; readonly moment: string }
  /** It is being deleted, and has no finalizer of this controller. */
  | { readonly kind: 'forgotten' }
  | { readonly kind: 'paused'; readonly until: string }
  | { readonly kind: 'conflict' | 'error'; readonly message: string };

/** What one reconcile would write. */
export interface Plan {
  readonly controller: string;
  /** 'VirtualMachine default/web'. */
  readonly object: string;
  /** In the order in which they were made; those of the controller's own are among them: finalizers, conditions. */
  readonly writes: readonly PlannedWrite[];
  readonly events: readonly PlannedEvent[];
  readonly outcome: PlannedOutcome;
}
