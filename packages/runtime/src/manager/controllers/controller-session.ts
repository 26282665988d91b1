import { KubewrightError } from '@kubewright/api/errors';
import type { ControllerDependencies } from '../../controller/controller-dependencies.js';
import { ControllerRunner } from '../../controller/controller-runner.js';
import type { ResolvedControllerOptions } from '../../controller/resolved-options.js';
import type { AddedTriggers } from './added-triggers.js';
import type { ControllerOpening } from './controller-opening.js';

/** The dependencies of a session. */
export interface ControllerSessionUsing {
  readonly opening: ControllerOpening;
  readonly dependencies: ControllerDependencies;
  readonly added: AddedTriggers;
  /** The session opens nothing before this promise settles. */
  readonly after: Promise<void> | undefined;
  /** Aborts the opening. */
  readonly signal: AbortSignal;
}

/** One run of a controller, from the opening of its kinds to its stop. */
export class ControllerSession {
  /** Resolves when the kinds of the controller are listed and its sources are synced. */
  readonly synced: Promise<void>;
  /** Aborted when the session stops. */
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
    // Callers that wait for `synced` receive the error. Other callers read it from the problems.
    this.synced.catch(() => undefined);
  }

  /** The runner. Undefined until discovery has resolved the kinds of the controller. */
  get runner(): ControllerRunner | undefined {
    return this.#runner;
  }
  get isSynced(): boolean {
    return this.#isSynced;
  }
  get isWorking(): boolean {
    return this.#working;
  }
  /** Whether `stop` was called. */
  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  /** Starts the workers once. Does nothing before the session is synced. */
  work(): void {
    if (this.#working || !this.#isSynced || this.isStopped) return;
    this.#working = true;
    this.#runner?.start();
  }
  /** Stops the session. Resolves when everything has ended. Every call returns the same promise. */
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
