import { dynamicKind, type KubeObject, type ObjectKey } from '@kubewright/api';
import { keyOf } from '../../cache/store/object-key.js';
import type { ControllerOptions } from './controller-options.js';
import type { Reconciler } from '../reconciler/reconciler.js';
import type { ReconcileContext } from '../reconciler/reconcile-context.js';
import type { Result } from '../reconciler/result.js';
import type { WatchDeclaration } from '../watches/watch-declaration.js';

/**
 * The options of `@KeyController` and `manager.controlKeys`, for a controller without a kind of its own. Its sources and watches return the
 * keys to reconcile. A key is a name with or without a namespace, and need not be the key of an object.
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
   * The name of the controller, which is also the field manager of its writes. @default the class name in kebab case without 'Controller'
   */
  readonly name?: string;
  /** Watches that `watch` declares. `owned` and `references` need a reconciled kind. */
  readonly watches?: readonly WatchDeclaration[];
}

/** Reconciles keys. Calls for the same key never overlap. */
export interface KeyReconciler {
  reconcile(key: ObjectKey, context: ReconcileContext): Promise<Result>;
}

/** The options that require `for`. */
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

/** The placeholder kind of controllers that reconcile keys. No API server serves this kind. */
export const KEY_KIND = dynamicKind('kubewright.dev/v1', 'Key');

/** Adapts a reconciler of keys to a reconciler of the objects that represent the keys. */
export function keyReconciler(reconciler: KeyReconciler): Reconciler<KubeObject> {
  return { reconcile: (object, context) => reconciler.reconcile(keyOf(object), context) };
}
