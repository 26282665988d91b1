import { KubewrightError } from '@kubewright/api/errors';
import type { ControllerDependencies } from '../../controller/controller-dependencies.js';
import { ControllerRunner } from '../../controller/controller-runner.js';
import type { ResolvedControllerOptions } from '../../controller/resolved-options.js';
import type { AddedTriggers } from './added-triggers.js';
import type { ControllerOpening } from './controller-opening.js';

/** What a session works with. */
export interface ControllerSessionUsing {
  readonly opening: ControllerOpening;
  readonly dependencies: ControllerDependencies;
  readonly added: AddedTriggers;
  /** Nothing is opened before it has settled. */
  readonly after: Promise<void> | undefined;
  /** Ends the opening. */
  readonly signal: AbortSignal;
}

/** A controller from when its kinds are opened to when it is stopped. */
export class ControllerSession {
  /** Resolves when its kinds are listed and its sources are synced. */
  readonly synced: Promise<void>;
  /** Aborted when it is told to stop. */
  readonly signal: AbortSignal;
  readonly #options: ResolvedControllerOptions;
  readonly #using: ControllerSessionUsing;
  readonly #stopping = new AbortController();
  #runner: ControllerRunner | undefined;
  #working = false;
  #isSynced = false;
  #stopped: Promise<void> | undefined;

  constructor(options: ResolvedControllerOptions, using: ControllerSessionUsing) {
    this.#options = options;
    this.#using = using;
    this.signal = AbortSignal.any([this.#stopping.signal, using.signal]);
    this.synced = this.#open();
    // Who waits for it is told; who does not sees it among the problems.
    this.synced.catch(() => undefined);
  }

  /** Undefined until it was found out where its kinds are served. */
  get runner(): ControllerRunner | undefined {
    return this.#runner;
  }
  get isSynced(): boolean {
    return this.#isSynced;
  }
  get isWorking(): boolean {
    return this.#working;
  }
  /** Whether it was told to stop. */
  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  /** Starts the workers, once; not before it is synced. */
  work(): void {
    if (this.#working || !this.#isSynced || this.isStopped) return;
    this.#working = true;
    this.#runner?.start();
  }
  /** Resolves when all has ended; every call gives the same. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #open(): Promise<void> {
    const { opening, dependencies, added, after } = this.#using;
    const { signal } = this;
    await after;
    const runner = await opening.persist(() => ControllerRunner.open(this.#options, dependencies), signal);
    this.#runner = runner;
    const adding = added.addTo(runner, { signal, persist: (attempt) => opening.persist(attempt, signal) });
    await Promise.all([runner.synced(signal), adding]);
    this.#isSynced = true;
  }
  async #stop(): Promise<void> {
    this.#working = false;
    this.#stopping.abort(new KubewrightError('STOPPED', `controller '${this.#options.name}' is stopped`));
    await this.synced.catch(() => undefined);
    await this.#using.added.removed();
    await this.#runner?.stop();
  }
}
