import type { KubeObject } from '@kubewright/api';
import type { Change } from '../../cache/store/change.js';
import type { Cause } from '../../queue/cause.js';
import type { ControllerDependencies } from '../runs/controller-dependencies.js';
import type { ResolvedControllerOptions } from '../options/resolved-options.js';
import type { ControllerInformer } from '../informers/controller-informer.js';
import type { Namespaced } from '../watches/reconcile-key.js';
import type { TriggerErrors } from '../sources/trigger-errors.js';

/** A requested reconcile: the cause, the priority and the earliest time. */
export interface Trigger {
  readonly cause: Cause;
  /** The priority of the reconcile. @default the priority of the object */
  readonly priority?: number | undefined;
  /** Whether the priority of the reconcile is reduced, because the change is not recent. Ignored if `priority` is set. @default false */
  readonly lowered?: boolean;
  /** The change of a child that requests the reconcile. Undefined for other causes. */
  readonly child?: { readonly change: Change<KubeObject>; readonly epoch: number | undefined };
  /** The minimum delay before the reconcile, in milliseconds. @default 0 */
  readonly afterMs?: number;
}
/** Receives changes and requests for reconciles. The reconcile loop implements this interface. */
export interface TriggerTarget {
  /** Processes a change of an object of the reconciled kind. The caller has not applied the predicate `when` to the change. */
  changed(id: string, change: Change<KubeObject>): void;
  /** Requests a reconcile of an object because another object changed or a source requested it. */
  trigger(id: string, trigger: Trigger): void;
}

/** The objects that all watches and sources of a controller use. */
export interface TriggerContext {
  readonly options: ResolvedControllerOptions;
  readonly dependencies: ControllerDependencies;
  readonly primary: ControllerInformer<KubeObject>;
  /** Whether the reconciled kind is namespaced. */
  readonly namespaced: Namespaced;
  readonly target: TriggerTarget;
  readonly errors: TriggerErrors;
}
