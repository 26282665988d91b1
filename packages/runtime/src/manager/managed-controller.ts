import type { ObjectKey } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { abortable } from '../transport/abortable.js';
import type { ControllerDependencies } from '../controller/controller-dependencies.js';
import type { ControllerRunner } from '../controller/controller-runner.js';
import type { ControllerStats } from '../controller/controller-stats.js';
import type { Logger } from '../log/logger.js';
import { aborted } from './aborted.js';
import { ControllerOpening } from './controller-opening.js';
import type { AddedController } from './part.js';
import type { QueueStatus } from './manager-status.js';
import type { Placed } from './runnable-groups.js';

/**
 * A controller in the life of its manager. Its kinds are opened with the caches, and fill its queue from then on; its workers start
 * with its group. A controller for the elected replica that says `warmUp: false` opens its kinds only when it is elected.
 */
export class ManagedController {
  readonly added: AddedController;
  readonly #opening: ControllerOpening;
  /** The kinds, listed for the first time; undefined until it is their turn. */
  #opened: Promise<ControllerRunner> | undefined;
  #runner: ControllerRunner | undefined;
  #working = false;
  #stopped: Promise<void> | undefined;

  constructor(added: AddedController, using: { readonly clock: Clock; readonly logger: Logger }) {
    this.added = added;
    this.#opening = new ControllerOpening(using);
  }

  get name(): string {
    return this.added.options.name;
  }

  /** What it does in the groups. */
  placed(dependencies: ControllerDependencies): readonly Placed[] {
    const { leaderOnly, warmUp } = this.added.options;
    const open = (signal: AbortSignal): Promise<ControllerRunner> => this.#open(dependencies, signal);
    const work: Placed = {
      group: leaderOnly ? 'leader' : 'others',
      member: {
        name: `controller '${this.name}'`,
        ready: async (signal) => void (await abortable(open(signal), signal)),
        run: (signal) => this.#work(open(signal), signal),
      },
    };
    if (leaderOnly && !warmUp) return [work];
    const kinds: Placed = {
      group: 'caches',
      member: {
        name: `the kinds of controller '${this.name}'`,
        ready: async (signal) => void (await open(signal)),
        run: async (signal) => {
          await aborted(signal);
          await this.#stop();
        },
      },
    };
    return [kinds, work];
  }

  /** Asks for a reconcile. Throws NOT_STARTED while its kinds are not there. */
  enqueue(key: ObjectKey): void {
    if (this.#runner === undefined || this.#stopped !== undefined) {
      throw new KubewrightError('NOT_STARTED', `cannot enqueue for controller '${this.name}': it does not run`);
    }
    this.#runner.enqueue(key);
  }
  /** Why it cannot do its work, in sentences; empty when it can, and while it need not. */
  unready(): readonly string[] {
    const { problems } = this.#opening;
    if (this.#runner !== undefined) return this.#runner.unready();
    if (problems.length > 0 || this.#opened === undefined) return problems;
    return [`controller '${this.name}' opens its kinds`];
  }
  /** What it has still to do at this moment, by name; empty when it is idle, and while it is another replica's turn. */
  pending(retriesWithinMs: number): readonly string[] {
    if (this.#stopped !== undefined || this.#opened === undefined) return [];
    if (this.#runner === undefined) return [`open controller ${this.name}`];
    return this.#working ? this.#runner.pending(retriesWithinMs) : [];
  }
  /** Undefined before its kinds are opened. */
  queueStatus(): QueueStatus | undefined {
    const queue = this.#runner?.stats().queue;
    if (queue === undefined) return undefined;
    const { depth: ready, delayed, processing } = queue;
    return { controller: this.name, working: this.#working, ready, delayed, processing };
  }
  /** Undefined before its kinds are opened. */
  stats(): ControllerStats | undefined {
    return this.#runner?.stats();
  }

  #open(dependencies: ControllerDependencies, signal: AbortSignal): Promise<ControllerRunner> {
    this.#opened ??= this.#openOnce(dependencies, signal);
    return this.#opened;
  }
  async #openOnce(dependencies: ControllerDependencies, signal: AbortSignal): Promise<ControllerRunner> {
    const runner = await this.#opening.open(this.added.options, { dependencies, signal });
    this.#runner = runner;
    await runner.synced(signal);
    return runner;
  }
  async #work(opened: Promise<ControllerRunner>, signal: AbortSignal): Promise<void> {
    try {
      const runner = await abortable(opened, signal);
      runner.start();
      this.#working = true;
      await aborted(signal);
    } finally {
      await this.#stop();
    }
  }
  #stop(): Promise<void> {
    this.#stopped ??= this.#close();
    return this.#stopped;
  }
  async #close(): Promise<void> {
    // Why it could not be opened was told to who waits for it.
    await this.#opened?.catch(() => undefined);
    await this.#runner?.stop();
  }
}
