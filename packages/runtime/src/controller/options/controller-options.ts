import type { KindRef, KubeObject } from '@kubewright/api';
import type { Duration } from '@kubewright/api/clock';
import type { Index } from '../../cache/store/index-declaration.js';
import type { Logger } from '../../log/logger.js';
import type { DelayRule } from '../../queue/delay-rule.js';
import type { RbacRule } from '../../rbac/rbac-decorator.js';
import type { Predicate } from '../watches/predicates.js';
import type { Source } from '../sources/source.js';
import type { OptionalKind, WatchDeclaration } from '../watches/watch-declaration.js';

/** The options of `@Controller` and `manager.control`. */
export interface ControllerOptions<T extends KubeObject> {
  /** The kind that the controller reconciles. */
  readonly for: KindRef<T>;
  /**
   * The name of the controller. The controller also uses the name as the field manager of its writes and as the value of the owner label.
   * @default the class name in kebab case without 'Controller', or the kind in kebab case for a controller without a class
   */
  readonly name?: string;
  /**
   * Whether another controller of the same manager may have the same name. For tests only. Both controllers then use the same field
   * manager, treat each other's children as their own, and share their metrics. @default false
   */
  readonly sameName?: boolean;
  /**
   * Returns the logger of this controller. The argument is the logger of the manager, to which the function can add fields. @default the
   * logger of the manager
   */
  readonly logger?: (logger: Logger) => Logger;
  /**
   * Selects the changes of the object that trigger a reconcile. When a reconcile writes its own object, the resulting change does not
   * trigger another reconcile, regardless of this option. A change of the pause annotation always triggers a reconcile. If the result of a
   * write to the object is unknown, every change triggers a reconcile until the result is known.
   * @default desiredStateChanged()
   */
  readonly when?: Predicate<NoInfer<T>>;
  /**
   * The kinds of children. The controller watches objects of these kinds that have its owner label, and indexes the objects by owner.
   *
   * Changes of a child trigger a reconcile of the owner. A change does not trigger a reconcile if the predicate of `owned(…)` rejects the
   * change, or if an apply in a reconcile of the owner caused the change. Use `{ kind, optional: true }` for a kind that the API server may
   * not serve. @default none
   */
  readonly owns?: readonly (KindRef | OptionalKind | WatchDeclaration)[];
  /** Watches of other kinds, created by `references` and `watch`. Changes of the watched objects trigger reconciles. @default none */
  readonly watches?: readonly WatchDeclaration<NoInfer<T>>[];
  /** Triggers of reconciles other than watches, created by `sourceOf` and `kindSource`. @default none */
  readonly sources?: readonly Source[];
  /**
   * Kinds that the controller reads from the cache and whose changes do not trigger reconciles. Use `{ kind, optional: true }` for a kind
   * that the API server may not serve. @default none
   */
  readonly reads?: readonly (KindRef | OptionalKind)[];
  /**
   * RBAC rules that the other options do not imply, in addition to the rules of `@Rbac`. Does not require a class. @default none
   */
  readonly rbac?: readonly RbacRule[];
  /** Indexes of cached objects, created by `index`. The kind of each index must be declared by this controller. @default none */
  readonly indexes?: readonly Index<never>[];
  /**
   * When the container constructs the class. With 'controller', the container constructs one instance. With 'reconcile', the container
   * constructs a new instance for each call of `reconcile`, `finalize` and `onError`. The instance is from a child container that is
   * disposed of after the call. A tsyringe service with `@scoped(Lifecycle.ContainerScoped)` then exists once per call.
   * @default 'controller'
   */
  readonly scope?: 'controller' | 'reconcile';
  /** The maximum number of concurrent reconciles. @default 1 */
  readonly concurrency?: number;
  /**
   * The maximum time between two reconciles of an object, regardless of results and errors. Each interval is randomly shortened by up to
   * 10%. @default never
   */
  readonly every?: Duration;
  /**
   * The time limit of a reconcile. After this time, the controller aborts the signal of the reconcile. If the reconcile ignores the signal
   * for 5 s, the worker continues with another object.
   * @default none
   */
  readonly timeout?: Duration;
  /**
   * The back-off after failures: the delay doubles from `initial` to `max`, or follows a custom rule. @default { initial: '5ms', max:
   * '1000s' }
   */
  readonly backoff?: { readonly initial?: Duration; readonly max?: Duration } | DelayRule;
  /**
   * The maximum number of retries per second for all objects of the controller together. `burst` is the number of retries that may start at
   * once, by default ten times `perSecond`. The limit avoids load peaks after an outage, but slows down the recovery: 10,000 objects at 10
   * per second take 17 minutes. @default no limit
   */
  readonly retryLimit?: { readonly perSecond: number; readonly burst?: number };
  /**
   * The delay of a reconcile after the first of several changes, so that a burst of changes leads to one reconcile. Does not affect
   * retries, requeues and reconciles that the program requests with `manager.enqueue`. @default '0s'
   */
  readonly debounce?: Duration;
  /**
   * The waiting time after which an object can be reconciled before objects of higher priority. At most one in ten reconciles is for such
   * an object. `false` disables the limit, so that priorities are strict. @default '1m'
   */
  readonly starvationLimit?: Duration | false;
  /**
   * The maximum number of consecutive failed runs of an object. After the last run, the object is not retried: it waits for a change, or
   * for `every`, and the count restarts.
   * @default no limit
   */
  readonly maxAttempts?: number;
  /** The minimum time between the starts of two reconciles of the same object, regardless of the trigger. @default none */
  readonly minInterval?: Duration;
  /**
   * Returns the priority of an object, which must be an integer. Objects with a higher priority are reconciled first. The priority is
   * reduced by 100 for objects of the first list and for events that do not change the version of the object. @default 0
   */
  readonly priority?: (object: NoInfer<T>) => number;
  /**
   * The name of the finalizer that is added if the class defines `finalize`. @default '<group>/<name>', or 'kubewright.dev/<name>' for a
   * kind of the core group
   */
  readonly finalizer?: string;
  /**
   * The condition that reports whether the last reconcile succeeded. `false` disables the condition.
   *
   * The controller reports an error with this condition and with a Warning event in three cases: the error is terminal, the run was the
   * last attempt, or the run is at least the third consecutive failure. During a server outage that is already logged, non-terminal errors
   * are reported only at the last attempt. If the status has an observedGeneration, the controller sets it after success and does not
   * change it after an error.
   * @default 'Reconciled' if the status of a custom kind has conditions
   */
  readonly reconcileCondition?: string | false;
  /**
   * What the controller does about a hot loop: reconciles of an object write the same field 20 times in 30 seconds without lasting effect.
   * Possible causes are another writer that changes the same field, a server that does not store the value, and a write that triggers
   * itself.
   *
   * 'warn' logs a warning and reports an event, once per loop. Both name the field, the other field manager and the fix. 'damp' also delays
   * the reconciles of the object by 1 s up to 1 min until the loop ends. The delay ends early if a field of the reconciled object changes
   * that is neither part of the loop nor of the status. `false` disables the detection.
   * @default 'damp'
   */
  readonly hotLoops?: 'damp' | 'warn' | false;
  /**
   * Whether the first error of a reconcile stops the manager and rejects `stopped` with this error. For tests and development. @default
   * false
   */
  readonly failFast?: boolean;
  /** The namespaces that the controller watches and reads. @default the namespaces of the manager */
  readonly namespaces?: readonly string[];
  /**
   * The time limit for the first lists of the kinds of this controller. If the limit is exceeded, the manager fails. `false` disables the
   * limit.
   * @default the limit of the manager
   */
  readonly syncTimeout?: Duration | false;
  /** Whether the controller reconciles only on the leader. Controllers that write to the cluster need this. @default true */
  readonly leaderOnly?: boolean;
  /**
   * Whether replicas that are not the leader watch the kinds and fill the queue, so that a new leader can reconcile immediately. `false`
   * saves memory, but a new leader must first list the objects. @default true
   */
  readonly warmUp?: boolean;
}
