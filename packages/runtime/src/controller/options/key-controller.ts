import { dynamicKind, type KubeObject, type ObjectKey } from '@kubewright/api';
import { keyOf } from '../../cache/store/object-key.js';
import type { ControllerOptions } from './controller-options.js';
import type { Reconciler } from '../reconciler/reconciler.js';
import type { ReconcileContext } from '../reconciler/reconcile-context.js';
import type { Result } from '../reconciler/result.js';
import type { WatchDeclaration } from '../watches/watch-declaration.js';

/**
 * The options of `@KeyController` and `manager.controlKeys`, for a controller that reconciles keys instead of the objects of a kind. Its
 * sources and watches provide the keys. A key is a name with or without a namespace. An object with this key need not exist.
 */
export interface KeyControllerOptions
  extends Pick<
    ControllerOptions<KubeObject>,
    | 'sameName'
    | 'logger'
    | 'sources'
    | 'reads'
    | 'rbac'
    | 'indexes'
    | 'scope'
    | 'concurrency'
    | 'every'
    | 'timeout'
    | 'backoff'
    | 'retryLimit'
    | 'debounce'
    | 'starvationLimit'
    | 'maxAttempts'
    | 'failFast'
    | 'namespaces'
    | 'syncTimeout'
    | 'leaderOnly'
    | 'warmUp'
  > {
  /**
   * The name of the controller. The controller also uses the name as the field manager of its writes and as the value of the owner label.
   * @default the class name in kebab case without 'Controller'; required without a class
   */
  readonly name?: string;
  /** Watches that are created by `watch`. `owned` and `references` are not allowed, because they require a reconciled kind. */
  readonly watches?: readonly WatchDeclaration[];
}

/** Reconciles keys. The controller never makes concurrent calls for the same key. */
export interface KeyReconciler {
  reconcile(key: ObjectKey, context: ReconcileContext): Promise<Result>;
}

/** The options that are allowed only with `for`. */
export const OPTIONS_OF_OBJECTS = [
  'for',
  'when',
  'owns',
  'minInterval',
  'priority',
  'finalizer',
  'reconcileCondition',
  'hotLoops',
] as const satisfies readonly Exclude<keyof ControllerOptions<KubeObject>, keyof KeyControllerOptions>[];

/** The placeholder for the kind of a controller that reconciles keys. No API server serves this kind. */
export const KEY_KIND = dynamicKind('kubewright.dev/v1', 'Key');

/** Converts a reconciler of keys to a reconciler of the placeholder objects that represent the keys. */
export function keyReconciler(reconciler: KeyReconciler): Reconciler<KubeObject> {
  return { reconcile: (object, context) => reconciler.reconcile(keyOf(object), context) };
}
