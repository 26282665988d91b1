import type { KindRef, ObjectKey } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { ControllerDependencies } from '../../controller/runs/controller-dependencies.js';
import { ControllerRunner } from '../../controller/controller-runner.js';
import type { ControllerStats } from '../../controller/runs/controller-stats.js';
import {
  assertOptions,
  assertSource,
  checkedWatch,
  type ResolvedControllerOptions,
} from '../../controller/options/resolved-options.js';
import type { Source } from '../../controller/sources/source.js';
import type { WatchDeclaration } from '../../controller/watches/watch-declaration.js';
import type { Logger } from '../../log/logger.js';
import { currentFence, withFence } from '../../transport/request/write-fence.js';
import { abortable } from '../../waiting/abortable.js';
import { aborted } from '../../waiting/aborted.js';
import type { AddedController } from '../components/component.js';
import type { QueueStatus } from '../lifecycle/manager-status.js';
import type { Placed } from '../lifecycle/runnable-groups.js';
import { type SyncLimit, withinSyncLimit } from '../lifecycle/sync-limit.js';
import { ControllerOpening } from './controller-opening.js';

/**
 * The state of a controller of a manager:
 * - `waiting`: waits for the start of the manager or, with `warmUp: false`, for the election
 * - `opening`: lists its kinds and starts its sources
 * - `warm`: fills its queue without reconciling, because this replica is not the leader
 * - `working`: reconciles
 * - `stopped`: was stopped by `stop` or by the manager
 */
export type ControllerState = 'waiting' | 'opening' | 'warm' | 'working' | 'stopped';

/**
 * A handle for one controller of a manager, returned by `manager.controller`. Can inspect, extend, stop and start the controller while
 * other controllers run.
 */
export interface ControllerHandle {
  /** The name of the controller in logs, metrics and settings. */
  readonly name: string;
  /** The current state of the controller. */
  readonly state: ControllerState;
  /**
   * Why the controller cannot work, as sentences. Examples are a kind that is not served, a missing permission, and a failed source. The
   * list is empty if there is no problem.
   */
  readonly problems: readonly string[];
  /** The statistics since the last start of the controller. Undefined before the informers of the controller have started. */
  readonly stats: ControllerStats | undefined;
  /**
   * Queues a reconcile. Throws NOT_STARTED if the controller was not started, is still resolving its kinds, or was stopped. Throws
   * INVALID_KEY for an invalid key.
   */
  enqueue(key: ObjectKey): void;
  /**
   * Sets the number of concurrent reconciles, also for later starts of the controller. Does not interrupt running reconciles. Throws
   * INVALID_CONTROLLER if the number is not a positive integer.
   */
  resize(concurrency: number): void;
  /**
   * Adds a watch of another kind. Disposing of the result removes the watch. The watch also applies after a stop and a start of the
   * controller.
   *
   * Resolves when all objects of the first list were processed, or immediately if the controller does not run. Rejects with
   * INVALID_CONTROLLER for an invalid watch, with KIND_NOT_SERVED, with NOT_SYNCED after the `syncTimeout` of the controller, and with
   * STOPPED. If the promise rejects, the watch is not added.
   *
   * @example
   * await using extra = await manager.controller(SiteController).watch(watch(Node, { map: … }));
   */
  watch(declaration: KindRef | WatchDeclaration<never>): Promise<AsyncDisposable>;
  /**
   * Adds a source. Disposing of the result removes the source. The source also applies after a stop and a start of the controller. Resolves
   * when the source is synced, or immediately if the controller does not run. Rejects with INVALID_CONTROLLER, SOURCE_FAILED, NOT_SYNCED
   * and STOPPED.
   */
  listen(source: Source): Promise<AsyncDisposable>;
  /**
   * Stops the controller: aborts the running reconciles, does not start others, discards the queue and releases the informers. Resolves
   * when the reconciles have ended. A later start lists all objects again. If the manager was not started yet, the controller does not
   * start with the manager.
   */
  stop(): Promise<void>;
  /**
   * Starts the controller after `stop`. Resolves when the controller reconciles, or when its queue is filled if another replica is the
   * leader. If the manager was not started yet, or with `warmUp: false` before the election, resolves immediately, and the manager starts
   * the controller later.
   *
   * Rejects with ALREADY_STARTED if the controller was not stopped, with NOT_SYNCED after its `syncTimeout`, and with STOPPED when the
   * manager stops. After NOT_SYNCED or STOPPED, the controller is stopped.
   */
  start(): Promise<void>;
}

/** Adds a watch or a source to a running controller. Resolves when the watch or the source is synced. */
type AddTrigger = (runner: ControllerRunner, signal: AbortSignal) => Promise<AsyncDisposable>;

/** A watch or a source that was added at run time. */
interface AddedTrigger {
  readonly add: AddTrigger;
  /** Resolves with the handle that removes the watch or source. Undefined if the watch or source is not open. */
  open: Promise<AsyncDisposable> | undefined;
}

/**
 * One run of a controller, from the start of its informers until it has stopped. The stages are listed in their order. From every stage, a
 * run can also change directly to `stopped`.
 */
interface Run {
  stage: 'opening' | 'warm' | 'working' | 'stopped';
  /** The controller. Undefined until the kinds of the controller are resolved. */
  runner: ControllerRunner | undefined;
  /** Aborted when the run must stop. */
  readonly signal: AbortSignal;
  readonly stopping: AbortController;
  /** Resolves when the kinds are listed and the sources are synced. */
  synced: Promise<void>;
  /** Resolves when all reconciles, watches and sources have ended. Undefined if the run was not stopped. */
  ended: Promise<void> | undefined;
}

/**
 * A controller in the lifecycle of its manager. The states and their transitions:
 *
 *     waiting → opening → warm → working
 *        ↑         ↓        ↓       ↓
 *        └───────────── stopped ────┘
 *
 * - `waiting` → `opening`: with the group `caches`; for a leader-only controller with `warmUp: false`, after the election
 * - `opening` → `warm`: when the kinds are listed and the sources are synced; the queue fills from then on
 * - `warm` → `working`: with the group of the controller, `others` or `leader`
 * - any state → `stopped`: by `stop`, or when the manager stops the group `caches`
 * - `stopped` → `waiting`: by `start`; the transitions with groups that already run follow at once
 */
export class ManagedController implements ControllerHandle {
  readonly added: AddedController;
  readonly #clock: Clock;
  readonly #opening: ControllerOpening;
  /** The watches and sources that were added at run time. Every run opens them. */
  readonly #triggers = new Set<AddedTrigger>();
  /** The options of the controller, including changes at run time. */
  #options: ResolvedControllerOptions;
  #dependencies: ControllerDependencies | undefined;
  /** The current or the last run. Undefined if there was none. */
  #run: Run | undefined;
  /** Whether the controller was stopped by `stop`, so that the manager must not start it. */
  #halted = false;
  /** The signal that is aborted when the manager stops the group that starts the informers. Undefined until the informers may start. */
  #openTurn: AbortSignal | undefined;
  /** The signal that is aborted when the manager stops the reconciles. Undefined until the controller may reconcile. */
  #workTurn: AbortSignal | undefined;

  constructor(added: AddedController, using: { readonly clock: Clock; readonly logger: Logger }) {
    this.added = added;
    this.#options = added.options;
    this.#clock = using.clock;
    this.#opening = new ControllerOpening(this.name, using);
  }

  get name(): string {
    return this.added.options.name;
  }
  get state(): ControllerState {
    if (this.#halted || this.#openTurn?.aborted === true) return 'stopped';
    return this.#current?.stage ?? 'waiting';
  }
  get problems(): readonly string[] {
    const run = this.#current;
    if (run === undefined) return [];
    const { problems } = this.#opening;
    if (run.runner !== undefined) return [...problems, ...run.runner.unready()];
    return problems.length > 0 ? problems : [`controller '${this.name}' is starting its informers`];
  }
  get stats(): ControllerStats | undefined {
    return this.#run?.runner?.stats();
  }

  /** Returns the group members that run this controller. */
  placed(dependencies: ControllerDependencies): readonly Placed[] {
    this.#dependencies = dependencies;
    const { leaderOnly, warmUp } = this.added.options;
    const work: Placed = {
      group: leaderOnly ? 'leader' : 'others',
      member: {
        name: `controller '${this.name}'`,
        ready: (signal) => this.#ready(signal),
        run: (signal) => this.#workUntil(signal),
        stuck: () => this.#stuck(),
      },
    };
    if (leaderOnly && !warmUp) return [work];
    const kinds: Placed = {
      group: 'caches',
      member: {
        name: `the kinds of controller '${this.name}'`,
        ready: (signal) => this.#ready(signal),
        run: async (signal) => {
          await aborted(signal);
          await this.#end();
        },
        stuck: () => this.#stuck(),
      },
    };
    return [kinds, work];
  }

  enqueue(key: ObjectKey): void {
    const runner = this.#current?.runner;
    if (runner === undefined) {
      throw new KubewrightError('NOT_STARTED', `cannot enqueue for controller '${this.name}': it is not running`);
    }
    runner.enqueue(key);
  }
  resize(concurrency: number): void {
    assertOptions(this.name, { concurrency });
    this.#options = { ...this.#options, concurrency };
    this.#current?.runner?.resize(concurrency);
  }
  async watch(declaration: KindRef | WatchDeclaration<never>): Promise<AsyncDisposable> {
    checkedWatch(this.name, declaration);
    return this.#extend((runner, signal) => runner.watch(declaration, signal));
  }
  async listen(source: Source): Promise<AsyncDisposable> {
    assertSource(this.name, source);
    return this.#extend((runner, signal) => runner.listen(source, signal));
  }
  async stop(): Promise<void> {
    this.#halted = true;
    await this.#end();
  }
  async start(): Promise<void> {
    this.#assertOpen('start');
    if (!this.#halted) {
      throw new KubewrightError(
        'ALREADY_STARTED',
        `cannot start controller '${this.name}': it is already started; stop it first`,
      );
    }
    this.#halted = false;
    const turn = this.#openTurn;
    if (turn === undefined) return;
    try {
      await withinSyncLimit(`controller '${this.name}'`, this.#limit(turn), () => this.#open(turn));
      if (this.#workTurn !== undefined) this.#work();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /**
   * Returns the names of the pending work. The list is empty if the controller is idle, or does not reconcile, for example because another
   * replica is the leader.
   */
  pending(retriesWithinMs: number): readonly string[] {
    const run = this.#current;
    if (run === undefined) return [];
    if (run.runner === undefined) return [`open controller ${this.name}`];
    return run.stage === 'working' ? run.runner.pending(retriesWithinMs) : [];
  }
  /** Returns the status of the queue. Undefined before the informers have started. */
  queueStatus(): QueueStatus | undefined {
    const queue = this.stats?.queue;
    if (queue === undefined) return undefined;
    const { depth: ready, delayed, processing } = queue;
    return { controller: this.name, working: this.#run?.stage === 'working', ready, delayed, processing };
  }

  /** The current run. Undefined if the last run was stopped. */
  get #current(): Run | undefined {
    return this.#run?.stage === 'stopped' ? undefined : this.#run;
  }

  /**
   * Starts the informers, except if the controller was stopped by `stop`. Resolves when the informers are synced, or when the controller is
   * stopped.
   */
  async #ready(signal: AbortSignal): Promise<void> {
    this.#openTurn ??= signal;
    if (this.#halted) return;
    try {
      await abortable(this.#open(this.#openTurn), signal);
    } catch (error) {
      if (!this.#halted) throw error;
    }
  }
  async #workUntil(signal: AbortSignal): Promise<void> {
    this.#workTurn = signal;
    try {
      await this.#ready(signal);
      if (!this.#halted) this.#work();
      await aborted(signal);
    } finally {
      this.#workTurn = undefined;
      await this.#end();
    }
  }
  /** Resolves if running reconciles ignore the stop. Otherwise, never resolves. */
  #stuck(): Promise<void> {
    return this.#run?.runner?.stuck ?? new Promise(() => undefined);
  }

  /**
   * Starts a run unless one exists. Resolves when the kinds are listed and the sources are synced. Does nothing before `placed` is called,
   * and when the manager is stopping.
   */
  async #open(turn: AbortSignal): Promise<void> {
    const dependencies = this.#dependencies;
    if (dependencies === undefined || turn.aborted) return;
    if (this.#current === undefined) {
      const { leaderOnly, warmUp } = this.#options;
      // With `warmUp: false`, a leader-only controller also opens its sources only on the leader. The run uses the write fence of the
      // leader, even if another task restarts the controller.
      const fence = leaderOnly && !warmUp ? dependencies.fence : currentFence();
      withFence(fence, () => this.#begin(turn, dependencies));
    }
    await this.#run?.synced;
  }
  #begin(turn: AbortSignal, dependencies: ControllerDependencies): void {
    const before = this.#run?.ended;
    const stopping = new AbortController();
    const signal = AbortSignal.any([stopping.signal, turn]);
    const run: Run = {
      stage: 'opening',
      signal,
      stopping,
      runner: undefined,
      synced: Promise.resolve(),
      ended: undefined,
    };
    run.synced = this.#openRun(run, dependencies, before);
    // Prevents an unhandled rejection. Callers that wait for `synced` receive the error, and `problems` reports it.
    run.synced.catch(() => undefined);
    this.#run = run;
  }
  /**
   * Starts the informers, the sources, and the watches and sources that were added at run time. Waits for the end of the previous run
   * first.
   */
  async #openRun(run: Run, dependencies: ControllerDependencies, before: Promise<void> | undefined): Promise<void> {
    const { signal } = run;
    await before;
    const runner = await this.#opening.persist(() => ControllerRunner.open(this.#options, dependencies), signal);
    run.runner = runner;
    const closed = [...this.#triggers].filter(({ open }) => open === undefined);
    const adding = closed.map((trigger) => {
      trigger.open = this.#opening.persist(() => trigger.add(runner, signal), signal);
      return trigger.open;
    });
    await Promise.all([runner.synced(signal), ...adding]);
    if (run.stage === 'opening') run.stage = 'warm';
  }
  /** Starts to reconcile if the run is warm. Otherwise does nothing. */
  #work(): void {
    const run = this.#run;
    if (run?.stage !== 'warm') return;
    run.stage = 'working';
    run.runner?.start();
  }
  /** Stops the run. Resolves when all reconciles, watches and sources have ended. */
  async #end(): Promise<void> {
    const run = this.#run;
    if (run === undefined) return;
    run.ended ??= this.#stopRun(run);
    await run.ended;
  }
  async #stopRun(run: Run): Promise<void> {
    run.stage = 'stopped';
    run.stopping.abort(new KubewrightError('STOPPED', `controller '${this.name}' is stopped`));
    await run.synced.catch(() => undefined);
    await Promise.all([...this.#triggers].map(close));
    await run.runner?.stop();
  }

  /**
   * Adds a watch or a source. If the kinds of the controller are already resolved, opens the watch or source immediately. If opening fails,
   * removes the watch or source again.
   */
  async #extend(add: AddTrigger): Promise<AsyncDisposable> {
    this.#assertOpen('add to');
    const what = `the watch or source that was added to controller '${this.name}'`;
    const trigger: AddedTrigger = {
      add: (runner, signal) => withinSyncLimit(what, this.#limit(signal), (limited) => add(runner, limited)),
      open: undefined,
    };
    this.#triggers.add(trigger);
    const remove = async (): Promise<void> => {
      this.#triggers.delete(trigger);
      await close(trigger);
    };
    try {
      const run = this.#current;
      if (run?.runner !== undefined) trigger.open = trigger.add(run.runner, run.signal);
      await trigger.open;
      return { [Symbol.asyncDispose]: remove };
    } catch (error) {
      await remove();
      throw error;
    }
  }
  #limit(signal: AbortSignal): SyncLimit & { readonly signal: AbortSignal } {
    const { syncTimeoutMs: limitMs } = this.added.options;
    return { clock: this.#clock, limitMs, missing: () => this.problems, signal };
  }
  #assertOpen(attempted: string): void {
    if (this.#openTurn?.aborted !== true) return;
    throw new KubewrightError('STOPPED', `cannot ${attempted} controller '${this.name}': its manager is stopping`);
  }
}

/** Closes a watch or source that was added at run time. The next run opens it again. */
async function close(trigger: AddedTrigger): Promise<void> {
  const { open } = trigger;
  trigger.open = undefined;
  // The caller that added the watch or source received the error.
  const opened = await open?.catch(() => undefined);
  await opened?.[Symbol.asyncDispose]();
}
