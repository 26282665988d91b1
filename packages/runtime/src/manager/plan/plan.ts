import type { KubeObject, ObjectKey } from '@kubewright/api';
import type { PlannedEvent, PlannedWrite } from '../../client/plan/planned-write.js';

/** The reconcile to plan. */
export interface PlanRequest {
  /** The name or the class name of an added controller. @default the only controller */
  readonly controller?: string;
  /** The key of the object. Required unless `suppose` is set. */
  readonly key?: ObjectKey;
  /** An object that the plan treats as just applied. The object may be new. @default the object in the cluster */
  readonly suppose?: KubeObject;
}

/** The outcome of a planned reconcile. */
export type PlannedOutcome =
  | { readonly kind: 'done' | 'requeue' }
  | { readonly kind: 'requeueAfter'; readonly delayMs: number }
  | { readonly kind: 'requeueAt'; readonly moment: string }
  /** The object is being deleted and does not have a finalizer of this controller. */
  | { readonly kind: 'forgotten' }
  | { readonly kind: 'paused'; readonly until: string }
  | { readonly kind: 'conflict' | 'error'; readonly message: string };

/** The planned writes, events and outcome of one reconcile. */
export interface Plan {
  readonly controller: string;
  /** The kind and the key of the object: 'VirtualMachine default/web'. */
  readonly object: string;
  /** The writes, in order. Includes the framework's own writes of finalizers and conditions. */
  readonly writes: readonly PlannedWrite[];
  readonly events: readonly PlannedEvent[];
  readonly outcome: PlannedOutcome;
}
