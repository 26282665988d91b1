import type { KindRef, KubeObject } from '@kubewright/api';
import type { Duration } from '@kubewright/api/clock';
import type { Index } from '../cache/index-declaration.js';
import type { Logger } from '../log/logger.js';
import type { DelayRule } from '../queue/delay-rule.js';
import type { RbacRule } from './rbac-decorator.js';
import type { Predicate } from './triggers/predicates.js';
import type { Source } from './triggers/source.js';
import type { OptionalKind, WatchDeclaration } from './triggers/watch-declaration.js';

/** What `@Controller` and `manager.control` take. */
export interface ControllerOptions<T extends KubeObject> {
  /** The kind that is reconciled. */
  readonly for: KindRef<T>;
  /** @default the class name in kebab case without 'Controller'. Also the field manager of its writes. */
  readonly name?: string;
  /**
   * Lets it have the name of another controller of the same manager; for tests. Both then write as the same field manager, take the
   * children of each other for their own, and are measured together. @default false
   */
  readonly sameName?: boolean;
  /** Makes of the logger of the manager that of this controller: one with more fields, or another. @default the logger of the manager */
  readonly logger?: (logger: Logger) => Logger;
  /** Which changes of the object itself count. Its own writes never do. @default desiredStateChanged() */
  readonly when?: Predicate<NoInfer<T>>;
  /**
   * Kinds of children. Watched by the label that `apply` stamps, and indexed by owner. Children that a reconcile applies do not
   * trigger another reconcile, because the answer shows their state. Children that it creates or patches do, and changes by others.
   * `{ kind, optional: true }` for a kind that the API server may not serve. @default none
   */
  readonly owns?: readonly (KindRef | OptionalKind | WatchDeclaration)[];
  /** Other kinds whose changes lead to reconciles; made by `references` and `watch`. @default none */
  readonly watches?: readonly WatchDeclaration<NoInfer<T>>[];
  /** What tells beside the kinds of the cluster when objects are to be reconciled; made by `sourceOf` and `kindSource`. @default none */
  readonly sources?: readonly Source[];
  /**
   * Kinds that are read from the cache and whose changes do not matter. `{ kind, optional: true }` for a kind that the API server may
   * not serve. @default none
   */
  readonly reads?: readonly (KindRef | OptionalKind)[];
  /** Rights that these declarations do not show; beside those of `@Rbac`, and for controllers without a class. @default none */
  readonly rbac?: readonly RbacRule[];
  /** What cached objects of its kinds can be listed by; made by `index`. @default none */
  readonly indexes?: readonly Index<never>[];
  /**
   * When the container constructs the class. With 'reconcile', it constructs a new object for each call of `reconcile`, `finalize` and
   * `onError`, from a child container that is disposed of after the call. A service with tsyringe's `@scoped(Lifecycle.ContainerScoped)`
   * then exists once per call. @default 'controller'
   */
  readonly scope?: 'controller' | 'reconcile';
  /** How many objects are reconciled at a time. @default 1 */
  readonly concurrency?: number;
  /** Each object is reconciled at least this often (with jitter), whatever results and errors say. @default never */
  readonly every?: Duration;
  /** The signal is aborted after this; a run that does not heed it soon after gives its place to others. @default none */
  readonly timeout?: Duration;
  /** How long an object waits after a failure: doubling from `initial` to `max`, or a rule. @default { initial: '5ms', max: '1000s' } */
  readonly backoff?: { readonly initial?: Duration; readonly max?: Duration } | DelayRule;
  /**
   * How many retries of all objects together begin in a second; those beyond wait for their turn. Spreads what an outage made fail
   * at once, and delays its end: 10,000 objects at 10 in a second take 17 minutes. `burst` is how many go at once before, ten times
   * `perSecond` if left out. @default no limit
   */
  readonly retryLimit?: { readonly perSecond: number; readonly burst?: number };
  /**
   * An object is reconciled this long after the first of several changes at the earliest, so that a burst of them leads to one
   * reconcile. Retries and results have their own times. @default '0s'
   */
  readonly debounce?: Duration;
  /**
   * An object that has waited so long for its turn goes before others of a higher priority, one such in ten, so that none starves;
   * false for strict priorities. @default '1m'
   */
  readonly patience?: Duration | false;
  /** After so many runs that failed in a row an object waits for a change, or for `every`; then it counts anew. @default no limit */
  readonly maxAttempts?: number;
  /** From the start of a run to the start of the next one on the same object at least so long, whatever asks for it. @default none */
  readonly minInterval?: Duration;
  /** Objects of a higher number go first; a whole number. Those of the first list come 100 lower. @default 0 */
  readonly priority?: (object: NoInfer<T>) => number;
  /** @default '<group>/<name>' */
  readonly finalizer?: string;
  /**
   * The condition that tells success, and errors once they are terminal, the last attempt, or the third in a row; with it goes a
   * Warning event. Where the status has an observedGeneration, success sets it and an error leaves it.
   * false for none. @default 'Reconciled' where the status of a custom kind has conditions
   */
  readonly errorCondition?: string | false;
  /**
   * What becomes of an object that is written again and again to no avail (20 times in 30 seconds): because somebody else writes the
   * same field, the server does not keep it, or each write brings the next. 'damp' tells of it once, with the field, the other field
   * manager and the cure, by a warning and an event, and then keeps its runs apart, from a second up to a minute, until it is calm;
   * what its author changes is not held up. 'warn' only tells. @default 'damp'
   */
  readonly hotLoops?: 'damp' | 'warn' | false;
  /** An error of a reconcile stops the manager, and `stopped` rejects with it. For tests and development. @default false */
  readonly failFast?: boolean;
  /** Namespaces to work in. @default those of the manager */
  readonly namespaces?: readonly string[];
  /**
   * How long the first objects of its kinds may take before the manager gives up; `false` waits for ever. @default that of the
   * manager
   */
  readonly syncTimeout?: Duration | false;
  /** Whether it reconciles on the elected replica only; one that writes to the cluster should. @default true */
  readonly leaderOnly?: boolean;
  /**
   * Whether a replica that is not elected watches the kinds and keeps the queue ready, so that it can go on at once when it is.
   * `false` saves the memory; the kinds are then listed after the election. @default true
   */
  readonly warmUp?: boolean;
}
