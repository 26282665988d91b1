import type { KubeObject } from '@kubewright/api';
import type { Change } from '../../cache/store/change.js';
import type { Cause } from '../../queue/cause.js';
import type { ControllerDependencies } from '../runs/controller-dependencies.js';
import type { ResolvedControllerOptions } from '../options/resolved-options.js';
import type { ControllerInformer } from '../informers/controller-informer.js';
import type { Namespaced } from '../watches/reconcile-key.js';
import type { TriggerErrors } from '../sources/trigger-errors.js';

/** The reason and the time of a requested reconcile. */
export interface Trigger {
  readonly cause: Cause;
  /** The priority of the reconcile. @default the priority of the object */
  readonly priority?: number | undefined;
  /** Whether the reconcile has a lower priority than recent changes. Ignored if `priority` is set. @default false */
  readonly lowered?: boolean;
  /** The change of a child that triggered the reconcile. */
  readonly child?: { readonly change: Change<KubeObject>; readonly epoch: number | undefined };
  /** The minimum delay in milliseconds. @default 0 */
  readonly afterMs?: number;
}
/** The receiver of changes and reconcile requests. */
export interface TriggerTarget {
  /** Handles a change of an object of the reconciled kind. The predicate has not been applied to the change yet. */
  changed(id: string, change: Change<KubeObject>): void;
  /** Requests a reconcile of the object because of another object or an external trigger. */
  trigger(id: string, trigger: Trigger): void;
}

/** The context that the watches and sources of a controller share. */
export interface TriggerContext {
  readonly options: ResolvedControllerOptions;
  readonly dependencies: ControllerDependencies;
  readonly primary: ControllerInformer<KubeObject>;
  /** Whether the reconciled kind is namespaced. */
  readonly namespaced: Namespaced;
  readonly target: TriggerTarget;
  readonly errors: TriggerErrors;
}
