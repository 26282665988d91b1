import { dynamicKind, type KubeObject, type ObjectKey } from '@kubewright/api';
import { keyOf } from '../cache/object-key.js';
import type { ControllerOptions } from './controller-options.js';
import type { Reconciler } from './reconciler.js';
import type { ReconcileContext } from './reconcile-context.js';
import type { Result } from './result.js';
import type { WatchDeclaration } from './triggers/watch-declaration.js';

/**
 * What `@KeyController` and `manager.controlKeys` take of a controller without a kind of its own: its sources and watches say which keys to
 * reconcile. A key is a name, in a namespace or not, and need not be that of an object.
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
    | 'patience'
    | 'maxAttempts'
    | 'failFast'
    | 'namespaces'
    | 'syncTimeout'
    | 'leaderOnly'
    | 'warmUp'
  > {
  /** @default the class name in kebab case without 'Controller'. Also the field manager of its writes. */
  readonly name?: string;
  /** Made by `watch`: there is nothing of which objects could be children, or which could name them. */
  readonly watches?: readonly WatchDeclaration[];
}

/** Brings the world closer to what shall be, key by key. Never runs twice at a time for the same key. */
export interface KeyReconciler {
  reconcile(key: ObjectKey, context: ReconcileContext): Promise<Result>;
}

/** The options that make no sense without `for`. */
export const OPTIONS_OF_OBJECTS = [
  'for',
  'when',
  'owns',
  'minInterval',
  'priority',
  'finalizer',
  'errorCondition',
  'hotLoops',
] as const satisfies readonly Exclude<keyof ControllerOptions<KubeObject>, keyof KeyControllerOptions>[];

/** Stands for the kind where keys are reconciled; no server has it. */
export const KEY_KIND = dynamicKind('kubewright.dev/v1', 'Key');

/** A reconciler of keys as one of the objects that stand for them. */
export function keyReconciler(reconciler: KeyReconciler): Reconciler<KubeObject> {
  return { reconcile: (object, context) => reconciler.reconcile(keyOf(object), context) };
}
