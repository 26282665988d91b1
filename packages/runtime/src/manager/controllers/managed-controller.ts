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
   * not aborted. Throws INVALID_CONTROLLER if the number is not a positive integer.
   */
  resize(concurrency: number): void;
  /**
   * Watches another kind until the returned handle is disposed of. The watch continues after a stop and a start of the controller. The
   * informer of the kind stops after its last user has stopped. Resolves when every object of the first list was processed, or at once if
   * the controller does not run. Rejects with INVALID_CONTROLLER for an invalid watch, with KIND_NOT_SERVED, with NOT_SYNCED after the
   * `syncTimeout` of the controller, and with STOPPED. A rejected watch is not added.
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
   * Stops the controller: starts no further reconcile, aborts the running reconciles and releases the kinds. Resolves when the reconciles
   * have ended. Drops the keys in the queue; a later start lists all objects again. Before the start of the manager, `stop` prevents the
   * start of the controller.
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

/** Adds a watch or a source to an open controller. Resolves when the watch or source is synced. */
type AddTrigger = (runner: ControllerRunner, signal: AbortSignal) => Promise<AsyncDisposable>;

/** A watch or a source that a caller added to the controller at runtime. */
interface AddedTrigger {
  readonly add: AddTrigger;
  /** Resolves with the handle that closes the trigger. Undefined while the trigger is closed. */
  open: Promise<AsyncDisposable> | undefined;
}

/**
 * One run of a controller, from the opening of its kinds to its stop. The stages follow each other in this order, and any stage can be
 * followed by `stopped`.
 */
interface Run {
  stage: 'opening' | 'warm' | 'working' | 'stopped';
  /** Undefined until discovery has resolved the kinds of the controller. */
  runner: ControllerRunner | undefined;
  /** Aborted when the run stops. */
  readonly signal: AbortSignal;
  readonly stopping: AbortController;
  /** Resolves when the run is warm: the kinds are listed and the sources are synced. */
  synced: Promise<void>;
  /** Resolves when all reconciles, watches and sources of the run have ended. Undefined before the stop. */
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
  /** The watches and sources that callers added. Every run opens them again. */
  readonly #triggers = new Set<AddedTrigger>();
  /** The options of the controller, with later changes. */
  #options: ResolvedControllerOptions;
  #dependencies: ControllerDependencies | undefined;
  /** The last run. */
  #run: Run | undefined;
  /** Whether `stop` prevents the controller from running. */
  #halted = false;
  /** Aborted when the kinds must close. Undefined until the kinds may open. */
  #openTurn: AbortSignal | undefined;
  /** Aborted when the controller must stop reconciling. Undefined while the controller must not reconcile. */
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
    return problems.length > 0 ? problems : [`controller '${this.name}' is opening its kinds`];
  }
  get stats(): ControllerStats | undefined {
    return this.#run?.runner?.stats();
  }

  /** Returns the members of the runnable groups that run this controller. */
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

  /** Returns the remaining work, by name. Empty if the controller is idle, and while another replica is the leader. */
  pending(retriesWithinMs: number): readonly string[] {
    const run = this.#current;
    if (run === undefined) return [];
    if (run.runner === undefined) return [`open controller ${this.name}`];
    return run.stage === 'working' ? run.runner.pending(retriesWithinMs) : [];
  }
  /** Returns the state of the queue. Undefined before the kinds are open. */
  queueStatus(): QueueStatus | undefined {
    const queue = this.stats?.queue;
    if (queue === undefined) return undefined;
    const { depth: ready, delayed, processing } = queue;
    return { controller: this.name, working: this.#run?.stage === 'working', ready, delayed, processing };
  }

  /** The run that has not been stopped. */
  get #current(): Run | undefined {
    return this.#run?.stage === 'stopped' ? undefined : this.#run;
  }

  /** Opens the kinds unless the controller is halted. Resolves when the kinds are synced or the controller is halted. */
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
  /** Resolves when the reconciles that still run ignore the stop. Stays pending otherwise. */
  #stuck(): Promise<void> {
    return this.#run?.runner?.stuck ?? new Promise(() => undefined);
  }

  /** Begins a run if there is none. Resolves when its kinds are synced. */
  async #open(turn: AbortSignal): Promise<void> {
    const dependencies = this.#dependencies;
    if (dependencies === undefined || turn.aborted) return;
    if (this.#current === undefined) {
      const { leaderOnly, warmUp } = this.#options;
      // Sources of a leader-only run use the leader's fence, regardless of the caller that starts the controller again.
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
    // Callers that wait for `synced` receive the error. Other callers read it from the problems.
    run.synced.catch(() => undefined);
    this.#run = run;
  }
  /** Opens the kinds, the sources and the added triggers after the previous run has ended. */
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
  /** Starts the workers once. Does nothing unless the run is warm. */
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

  /** Adds a trigger, and opens the trigger at once if the controller is open. A trigger that fails to open is removed again. */
  async #extend(add: AddTrigger): Promise<AsyncDisposable> {
    this.#assertOpen('add to');
    const what = `the addition to controller '${this.name}'`;
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

/** Closes a trigger until the next run. */
async function close(trigger: AddedTrigger): Promise<void> {
  const { open } = trigger;
  trigger.open = undefined;
  // The caller that added the trigger received the error.
  const opened = await open?.catch(() => undefined);
  await opened?.[Symbol.asyncDispose]();
}
