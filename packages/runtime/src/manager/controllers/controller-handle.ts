import type { KindRef, ObjectKey } from '@kubewright/api';
import type { ControllerStats } from '../../controller/controller-stats.js';
import type { Source } from '../../controller/triggers/source.js';
import type { WatchDeclaration } from '../../controller/triggers/watch-declaration.js';

/**
 * The state of a controller:
 * - `waiting`: for the start of the manager or, with `warmUp: false`, for the election
 * - `opening`: lists its kinds and starts its sources
 * - `warm`: fills its queue without reconciling, because this replica is not the leader
 * - `working`: reconciles
 * - `stopped`: by `stop`, or with the manager
 */
export type ControllerState = 'waiting' | 'opening' | 'warm' | 'working' | 'stopped';

/**
 * A controller of a manager. `manager.controller` returns the handle, to inspect, extend, stop and start one controller while the other
 * controllers run.
 */
export interface ControllerHandle {
  /** The name in logs, metrics and settings. */
  readonly name: string;
  /** The current state. */
  readonly state: ControllerState;
  /**
   * The reasons why the controller cannot work, as sentences: a kind that is not served, a missing permission, a failed source. Empty if
   * there are none.
   */
  readonly problems: readonly string[];
  /** Statistics since the last start. Undefined before the kinds of the controller are open. */
  readonly stats: ControllerStats | undefined;
  /** Enqueues a reconcile. Throws NOT_STARTED while the kinds of the controller are not open, and INVALID_KEY. */
  enqueue(key: ObjectKey): void;
  /**
   * Sets the number of concurrent reconciles. The number also applies after a stop and a start of the controller. Running reconciles are
   * not aborted. Throws INVALID_CONTROLLER unless the number is a whole number above 0.
   */
  resize(concurrency: number): void;
  /**
   * Watches another kind until the returned handle is disposed of. The watch continues after a stop and a start of the controller. The
   * informer of the kind stops after its last user has stopped. Resolves when every object of the first list was processed, or at once if
   * the controller does not run. Rejects with INVALID_CONTROLLER for an invalid watch, with NOT_SYNCED after the `syncTimeout` of the
   * controller, and with STOPPED. A rejected watch is not added.
   *
   * @example
   * await using extra = await manager.controller(SiteController).watch(watch(Node, { map: … }));
   */
  watch(declaration: KindRef | WatchDeclaration<never>): Promise<AsyncDisposable>;
  /**
   * Adds a source, like `watch`. Resolves when the source is synced. Rejects with INVALID_CONTROLLER, SOURCE_FAILED, NOT_SYNCED and
   * STOPPED.
   */
  listen(source: Source): Promise<AsyncDisposable>;
  /**
   * Stops the controller: starts no further reconcile, aborts the running reconciles and releases the kinds. Resolves when everything has
   * ended. Drops the keys in the queue; a later start lists all objects again. Before the start of the manager, `stop` prevents the start
   * of the controller.
   */
  stop(): Promise<void>;
  /**
   * Starts the controller after `stop`. Resolves when the controller works, or is warm if another replica is the leader. Rejects with
   * ALREADY_STARTED if the controller was not stopped, with NOT_SYNCED after its `syncTimeout`, and with STOPPED when the manager stops.
   * After a rejection with NOT_SYNCED or STOPPED the controller is stopped. Before the start of the manager, or with `warmUp: false` before
   * the election, `start` resolves at once and the manager starts the controller later.
   */
  start(): Promise<void>;
}
