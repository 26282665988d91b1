import type { KindRef, ObjectKey } from '@kubewright/api';
import type { ControllerStats } from '../../controller/controller-stats.js';
import type { Source } from '../../controller/triggers/source.js';
import type { WatchDeclaration } from '../../controller/triggers/watch-declaration.js';

/**
 * Where a controller is:
 * - `waiting`: for its manager to start, or, with `warmUp: false`, to be elected
 * - `opening`: lists its kinds and starts its sources
 * - `warm`: its queue is kept ready, and nothing is reconciled: this replica is not elected
 * - `working`
 * - `stopped`: by `stop`, or with its manager
 */
export type ControllerState = 'waiting' | 'opening' | 'warm' | 'working' | 'stopped';

/** One controller of a manager, to be looked at, extended, stopped and started while the others go on; `manager.controller` gives it. */
export interface ControllerHandle {
  /** As in logs, metrics and settings. */
  readonly name: string;
  /** Where it is at this moment. */
  readonly state: ControllerState;
  /** Why it cannot do its work, in sentences: a kind that is not served, a right that is missing, a source that failed. Empty when it can. */
  readonly problems: readonly string[];
  /** What it has done since it was started the last time; undefined before its kinds are open. */
  readonly stats: ControllerStats | undefined;
  /** Asks for a reconcile. Throws NOT_STARTED while its kinds are not there, and INVALID_KEY. */
  enqueue(key: ObjectKey): void;
  /**
   * How many objects are reconciled at a time from now on, a stop and a start of the controller included; what runs is not ended for it.
   * Throws INVALID_CONTROLLER unless it is a whole number above 0.
   */
  resize(concurrency: number): void;
  /**
   * Watches one more kind until what it resolves with is disposed of, a stop and a start of the controller included; the kind's
   * informer ends when nobody else needs it. Resolves when every object of the first list was handed over; where the controller does
   * not run, at once. Rejects with INVALID_CONTROLLER for a watch that makes no sense, with NOT_SYNCED after the `syncTimeout` of the
   * controller, and with STOPPED; it is not added then.
   *
   * @example
   * await using extra = await manager.controller(SiteController).watch(watch(Node, { map: … }));
   */
  watch(declaration: KindRef | WatchDeclaration<never>): Promise<AsyncDisposable>;
  /** The same for a source; resolves when it is synced. Rejects with INVALID_CONTROLLER, SOURCE_FAILED, NOT_SYNCED and STOPPED. */
  listen(source: Source): Promise<AsyncDisposable>;
  /**
   * Begins nothing more, aborts what runs, gives the kinds back, and resolves when all has ended. What waits in the queue is dropped: a
   * later start lists all objects again. Before the start of the manager it keeps the controller from being started with it.
   */
  stop(): Promise<void>;
  /**
   * Starts it again after `stop`; resolves when it works, or is warm where another replica leads. Rejects with ALREADY_STARTED when it
   * was not stopped, with NOT_SYNCED after its `syncTimeout`, and with STOPPED when the manager stops; it is stopped then. Before the
   * start of the manager, or with `warmUp: false` before the election, it resolves at once and is started in its turn.
   */
  start(): Promise<void>;
}
