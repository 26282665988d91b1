import type { KindRef, ObjectKey } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { ControllerDependencies } from '../../controller/controller-dependencies.js';
import type { ControllerRunner } from '../../controller/controller-runner.js';
import type { ControllerStats } from '../../controller/controller-stats.js';
import {
  assertOptions,
  assertSource,
  checkedWatch,
  type ResolvedControllerOptions,
} from '../../controller/resolved-options.js';
import type { Source } from '../../controller/triggers/source.js';
import type { WatchDeclaration } from '../../controller/triggers/watch-declaration.js';
import type { Logger } from '../../log/logger.js';
import { abortable } from '../../waiting/abortable.js';
import { aborted } from '../../waiting/aborted.js';
import { currentFence, withFence } from '../../transport/request/write-fence.js';
import type { QueueStatus } from '../manager-status.js';
import type { AddedController } from '../component.js';
import type { Placed } from '../runnable-groups.js';
import { type SyncLimit, withinSyncLimit } from '../sync-limit.js';
import { AddedTriggers, type AddTrigger } from './added-triggers.js';
import type { ControllerHandle, ControllerState } from './controller-handle.js';
import { ControllerOpening } from './controller-opening.js';
import { ControllerSession } from './controller-session.js';

/**
 * A controller in the lifecycle of its manager. The controller opens its kinds with the caches and fills its queue from then on. The
 * workers start with the group of the controller. A leader-only controller with `warmUp: false` opens its kinds after the election. A
 * caller may stop and start the controller in between.
 */
export class ManagedController implements ControllerHandle {
  readonly added: AddedController;
  readonly #clock: Clock;
  readonly #opening: ControllerOpening;
  readonly #triggers = new AddedTriggers();
  /** The options of the controller, with later changes. */
  #options: ResolvedControllerOptions;
  #dependencies: ControllerDependencies | undefined;
  #session: ControllerSession | undefined;
  /** Whether `stop` prevents the controller from running. */
  #halted = false;
  /** Aborted when the kinds must close. Undefined until the kinds may open. */
  #openTurn: AbortSignal | undefined;
  /** Aborted when the controller must stop reconciling. Undefined while it may not reconcile. */
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
    if (this.#session === undefined || this.#session.isStopped) return 'waiting';
    if (this.#session.isWorking) return 'working';
    return this.#session.isSynced ? 'warm' : 'opening';
  }
  get problems(): readonly string[] {
    const session = this.#session;
    if (session === undefined || session.isStopped) return [];
    if (session.runner !== undefined) return [...this.#opening.problems, ...session.runner.unready()];
    const { problems } = this.#opening;
    return problems.length > 0 ? problems : [`controller '${this.name}' is opening its kinds`];
  }
  get stats(): ControllerStats | undefined {
    return this.#session?.runner?.stats();
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
    const runner = this.#runner;
    if (runner === undefined) {
      throw new KubewrightError('NOT_STARTED', `cannot enqueue for controller '${this.name}': it is not running`);
    }
    runner.enqueue(key);
  }
  resize(concurrency: number): void {
    assertOptions(this.name, { concurrency });
    this.#options = { ...this.#options, concurrency };
    this.#runner?.resize(concurrency);
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
      if (this.#workTurn !== undefined) this.#session?.work();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Returns the remaining work, by name. Empty if the controller is idle, and while another replica is the leader. */
  pending(retriesWithinMs: number): readonly string[] {
    const session = this.#session;
    if (session === undefined || session.isStopped) return [];
    if (session.runner === undefined) return [`open controller ${this.name}`];
    return session.isWorking ? session.runner.pending(retriesWithinMs) : [];
  }
  /** Returns the state of the queue. Undefined before the kinds are open. */
  queueStatus(): QueueStatus | undefined {
    const queue = this.stats?.queue;
    if (queue === undefined) return undefined;
    const { depth: ready, delayed, processing } = queue;
    const working = this.#session?.isWorking === true;
    return { controller: this.name, working, ready, delayed, processing };
  }

  /** The runner of the current session. Undefined while the kinds are not open. */
  get #runner(): ControllerRunner | undefined {
    return this.#session?.isStopped === false ? this.#session.runner : undefined;
  }
  /** Adds a trigger that every start of the controller opens. */
  async #extend(add: AddTrigger): Promise<AsyncDisposable> {
    this.#assertOpen('add to');
    const session = this.#session;
    const what = `the addition to controller '${this.name}'`;
    return this.#triggers.add(
      async (runner, signal) => withinSyncLimit(what, this.#limit(signal), (limited) => add(runner, limited)),
      session?.isStopped === false ? session : undefined,
    );
  }
  #limit(signal: AbortSignal): SyncLimit & { readonly signal: AbortSignal } {
    const { syncTimeoutMs: limitMs } = this.added.options;
    return { clock: this.#clock, limitMs, missing: () => this.problems, signal };
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
  /** Opens the kinds if they are not open. Resolves when the kinds are synced. */
  async #open(turn: AbortSignal): Promise<void> {
    const before = this.#session;
    if (this.#dependencies === undefined || turn.aborted) return;
    if (before === undefined || before.isStopped) {
      const { leaderOnly, warmUp } = this.#options;
      const using = {
        opening: this.#opening,
        dependencies: this.#dependencies,
        added: this.#triggers,
        after: before?.stop(),
        signal: turn,
      };
      // Sources of a leader-only session use the leader's fence, regardless of the caller that starts the controller again.
      const fence = leaderOnly && !warmUp ? this.#dependencies.fence : currentFence();
      this.#session = withFence(fence, () => new ControllerSession(this.#options, using));
    }
    await this.#session?.synced;
  }
  async #workUntil(signal: AbortSignal): Promise<void> {
    this.#workTurn = signal;
    try {
      await this.#ready(signal);
      if (!this.#halted) this.#session?.work();
      await aborted(signal);
    } finally {
      this.#workTurn = undefined;
      await this.#end();
    }
  }
  /** Stays pending until a reconcile ignores the stop. */
  #stuck(): Promise<void> {
    return this.#session?.runner?.stuck ?? new Promise(() => undefined);
  }
  async #end(): Promise<void> {
    await this.#session?.stop();
  }
  #assertOpen(attempted: string): void {
    if (this.#openTurn?.aborted !== true) return;
    throw new KubewrightError('STOPPED', `cannot ${attempted} controller '${this.name}': its manager is stopping`);
  }
}
