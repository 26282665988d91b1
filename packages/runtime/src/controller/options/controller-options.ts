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
   * The name of the controller, which is also the field manager of its writes. @default the class name in kebab case without 'Controller'
   */
  readonly name?: string;
  /**
   * Whether the controller may have the name of another controller of the same manager; for tests. Both controllers then use the same field
   * manager, treat each other's children as their own, and share their metrics. @default false
   */
  readonly sameName?: boolean;
  /** Returns the logger of this controller, such as the logger of the manager with additional fields. @default the logger of the manager */
  readonly logger?: (logger: Logger) => Logger;
  /**
   * Selects the changes of the object that trigger a reconcile. A write to the object by its own reconcile does not trigger another
   * reconcile.
   * @default desiredStateChanged()
   */
  readonly when?: Predicate<NoInfer<T>>;
  /**
   * The kinds of children. The controller watches them by the label that `apply` sets, and indexes them by owner. If a reconcile applies a
   * child, the change does not trigger another reconcile, because the response contains the state of the child. Creates, patches and
   * deletions of children by a reconcile trigger one, and so do all changes by other writers. Use `{ kind, optional: true }` for a kind
   * that may be missing on the API server. @default none
   */
  readonly owns?: readonly (KindRef | OptionalKind | WatchDeclaration)[];
  /** Watches of other kinds whose changes trigger reconciles, declared with `references` and `watch`. @default none */
  readonly watches?: readonly WatchDeclaration<NoInfer<T>>[];
  /** Sources outside the watched kinds that trigger reconciles, created by `sourceOf` and `kindSource`. @default none */
  readonly sources?: readonly Source[];
  /**
   * Kinds that the controller reads from the cache. Their changes do not trigger reconciles. Use `{ kind, optional: true }` for a kind that
   * may be missing on the API server. @default none
   */
  readonly reads?: readonly (KindRef | OptionalKind)[];
  /** RBAC rules that these declarations do not imply, in addition to `@Rbac`; also for controllers without a class. @default none */
  readonly rbac?: readonly RbacRule[];
  /** Indexes over cached objects of the declared kinds, created by `index`. @default none */
  readonly indexes?: readonly Index<never>[];
  /**
   * The scope in which the container constructs the class. With 'reconcile', the container constructs a new instance for each call of
   * `reconcile`, `finalize` and `onError`. It uses a child container, which is disposed of after the call. A service with tsyringe's
   * `@scoped(Lifecycle.ContainerScoped)` then exists once per call. @default 'controller'
   */
  readonly scope?: 'controller' | 'reconcile';
  /** The maximum number of concurrent reconciles. @default 1 */
  readonly concurrency?: number;
  /**
   * Maximum time between two reconciles of an object, regardless of results and errors. Jitter shortens the time by up to 10 %. @default
   * never
   */
  readonly every?: Duration;
  /**
   * Time limit of a reconcile, after which its signal is aborted. A run that ignores the signal for 5 s no longer occupies a worker.
   * @default none
   */
  readonly timeout?: Duration;
  /** Back-off after a failure: doubles from `initial` to `max`, or follows a custom rule. @default { initial: '5ms', max: '1000s' } */
  readonly backoff?: { readonly initial?: Duration; readonly max?: Duration } | DelayRule;
  /**
   * Maximum number of retries per second for all objects together. Further retries wait. The limit spreads retries after an outage, and
   * prolongs recovery: 10,000 objects at 10 per second take 17 minutes. `burst` is the number of retries that may start at once, by default
   * ten times `perSecond`. @default no limit
   */
  readonly retryLimit?: { readonly perSecond: number; readonly burst?: number };
  /**
   * Minimum delay between the first of several changes and the reconcile, so that a burst of changes leads to one reconcile. Retries and
   * results have their own delays. @default '0s'
   */
  readonly debounce?: Duration;
  /**
   * Starvation limit: at most one in ten reconciles is for an object that has waited longer than this, ahead of objects of higher priority.
   * `false` enforces strict priorities. @default '1m'
   */
  readonly starvationLimit?: Duration | false;
  /**
   * Maximum number of consecutive failed runs. The object then waits for a change, or for `every`, and the count restarts.
   * @default no limit
   */
  readonly maxAttempts?: number;
  /** Minimum time between the starts of two reconciles of the same object, regardless of the trigger. @default none */
  readonly minInterval?: Duration;
  /**
   * Returns the priority of an object, an integer. Objects of higher priority are reconciled first. Objects of the first list and repeated
   * versions of an object have a priority that is 100 lower. @default 0
   */
  readonly priority?: (object: NoInfer<T>) => number;
  /** The finalizer that `finalize` uses. @default '<group>/<name>', or 'kubewright.dev/<name>' for a kind of the core group */
  readonly finalizer?: string;
  /**
   * The condition that reports success and errors. The controller reports an error, with a Warning event, if the error is terminal, on the
   * last attempt, or from the third consecutive failure. Non-terminal errors of a server outage that is already logged are not reported
   * before the last attempt. If the status has an observedGeneration, success sets it and an error does not change it. `false` disables the
   * condition.
   * @default 'Reconciled' if the status of a custom kind has conditions
   */
  readonly reconcileCondition?: string | false;
  /**
   * The reaction to a hot loop: an object that is repeatedly written without lasting effect (20 times in 30 seconds). This happens if
   * another writer changes the same field, if the server does not keep the value, or if each write triggers the next. 'damp' reports the
   * loop once, by a warning and an event that name the field, the other field manager and the fix. It then delays the runs of the object,
   * by 1 s up to 1 min, until the loop ends. A change of another field of the object, other than the status, is reconciled without delay.
   * 'warn' only reports the loop.
   * @default 'damp'
   */
  readonly hotLoops?: 'damp' | 'warn' | false;
  /**
   * Whether an error of a reconcile stops the manager, so that `stopped` rejects with the error. For tests and development. @default false
   */
  readonly failFast?: boolean;
  /** The namespaces that the controller watches. @default the namespaces of the manager */
  readonly namespaces?: readonly string[];
  /**
   * Time limit for the first lists of the controller's kinds, after which the manager fails. `false` disables the limit.
   * @default the limit of the manager
   */
  readonly syncTimeout?: Duration | false;
  /** Whether the controller reconciles only on the leader, as controllers that write to the cluster should. @default true */
  readonly leaderOnly?: boolean;
  /**
   * Whether a replica that is not the leader watches the kinds and fills the queue, so that it can start immediately after its election.
   * `false` saves memory; the replica then lists the kinds after the election. @default true
   */
  readonly warmUp?: boolean;
}
