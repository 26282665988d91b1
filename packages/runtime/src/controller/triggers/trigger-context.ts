import type { KubeObject } from '@kubewright/api';
import type { Change } from '../../cache/change.js';
import type { Cause } from '../../queue/cause.js';
import type { ControllerDependencies } from '../controller-dependencies.js';
import type { ResolvedControllerOptions } from '../resolved-options.js';
import type { WatchedObjects } from '../watched-objects.js';
import type { Namespaced } from './reconcile-key.js';
import type { TriggerErrors } from './trigger-errors.js';

/** Why and when an object shall be reconciled. */
export interface Trigger {
  readonly cause: Cause;
  /** @default that of the object */
  readonly priority?: number | undefined;
  /** Whether it goes after what changed just now. Has no effect beside `priority`. @default false */
  readonly lowered?: boolean;
  /** The change of a child that it is about. */
  readonly child?: { readonly change: Change<KubeObject>; readonly epoch: number | undefined };
  /** Milliseconds to wait. @default 0 */
  readonly afterMs?: number;
}
/** What the changes of a controller's kinds lead to. */
export interface TriggerTarget {
  /** An object of the reconciled kind changed, in a way that its predicate lets through or not. */
  changed(id: string, change: Change<KubeObject>): void;
  /** The object shall be reconciled, because of another one or of something outside. */
  trigger(id: string, trigger: Trigger): void;
}

/** What watches and sources of a controller have in common. */
export interface TriggerContext {
  readonly options: ResolvedControllerOptions;
  readonly dependencies: ControllerDependencies;
  readonly primary: WatchedObjects<KubeObject>;
  /** Whether objects of the reconciled kind are in namespaces. */
  readonly namespaced: Namespaced;
  readonly target: TriggerTarget;
  readonly errors: TriggerErrors;
}
