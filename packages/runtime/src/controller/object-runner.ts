import { hasFinalizer, type KubeObject } from '@kubewright/api';
import { isConflict, isInvalid, isNotFound, isRefusal } from '@kubewright/api/errors';
import type { SecretRules } from '@kubewright/api/secrets';
import { currentSecrets } from '../log/known-secrets.js';
import { secretRulesOf } from '../client/requests/secret-rules.js';
import { runInScope } from '../client/scope/reconcile-scope.js';
import type { SentWrite, Write } from '../client/scope/write.js';
import { checkedResult } from './reconciler/checked-result.js';
import type { ControllerDependencies } from './runs/controller-dependencies.js';
import { finalizerAddition, finalizerRemoval, type JsonPatchOperation } from './finalizers/finalizer-patches.js';
import { finalizerSteps, runFinalizers } from './finalizers/finalizer-steps.js';
import type { FinalizerStep } from './reconciler/finalizers.js';
import type { Failure, Outcome } from './reconciler/outcome.js';
import { type Pause, pauseOf } from './reconciler/pause.js';
import { OutcomeReporter, type ReportedRun } from './runs/outcome-reporter.js';
import { Pauses } from './runs/pauses.js';
import type { ReconcileRun } from './runs/reconcile-run.js';
import { RunScope, type RunScopeOptions } from './runs/run-scope.js';
import type { RunSignal } from './runs/run-signal.js';
import { ownedKinds, type ResolvedControllerOptions } from './options/resolved-options.js';
import { Result } from './reconciler/result.js';
import type { ControllerInformer } from './informers/controller-informer.js';
import { logFailure } from '../transport/sending/server-outage.js';

/** The options and dependencies of an `ObjectRunner`. */
export interface ObjectRunnerOptions {
  readonly options: ResolvedControllerOptions;
  readonly dependencies: ControllerDependencies;
  readonly informer: ControllerInformer<KubeObject>;
  /** Called each time the server has accepted a write of a run. */
  readonly onWrite: (run: ReconcileRun, write: Write, sent: SentWrite | undefined) => void;
  /**
   * Called after each write whose result is unknown, for example if the server sent no response, a server error or an invalid response.
   */
  readonly onUnanswered: (run: ReconcileRun, object: KubeObject) => void;
}

/** Runs the reconciler or the finalizers for one object. Skips paused objects, adds and removes finalizers, and reports the outcome. */
export class ObjectRunner {
  readonly #using: ObjectRunnerOptions;
  readonly #finalizers: readonly FinalizerStep[];
  readonly #scope: RunScopeOptions;
  readonly #secrets: SecretRules | undefined;
  /** The text that names `reconcile` in messages. */
  readonly #caller: string;
  readonly #pauses: Pauses;
  readonly #reporter: OutcomeReporter;

  /** Throws DUPLICATE_FINALIZER if two finalizers have the same name. */
  constructor(using: ObjectRunnerOptions) {
    const { options, dependencies } = using;
    const { conditions: writer, events } = dependencies;
    this.#using = using;
    this.#finalizers = finalizerSteps(dependencies.reconciler, options);
    this.#scope = { ...using, controller: options.name, owns: ownedKinds(options) };
    this.#secrets = secretRulesOf(options.kind);
    this.#caller = `reconcile of controller '${options.name}'`;
    this.#pauses = new Pauses({ conditions: options.conditions, writer, events });
    this.#reporter = new OutcomeReporter({ ...options, condition: options.reconcileCondition, writer, events });
  }

  /** The number of paused objects. */
  get paused(): number {
    return this.#pauses.size;
  }
  /** Releases the state of a deleted object. */
  forget(id: string): void {
    this.#pauses.forget(id);
  }

  /**
   * Executes one run. Rejects with the error of the reconciler, or with the error of a request that the runner sends before or after the
   * reconciler.
   */
  run(run: ReconcileRun): Promise<Outcome> {
    try {
      const { informer } = this.#using;
      const caughtUp = informer.caughtUp(run.key, run.limit);
      const object = caughtUp === undefined ? informer.get(run.key) : undefined;
      if (object === undefined || !this.#needsOnlyReconcile(run, object)) return this.#runSteps(run, caughtUp);
      this.#read(run, object);
      return this.#reconcile(run, object);
    } catch (error) {
      return Promise.reject(error);
    }
  }
  /** Whether the run consists only of a call of `reconcile`. */
  #needsOnlyReconcile({ id }: ReconcileRun, object: KubeObject): boolean {
    if (object.metadata.deletionTimestamp !== undefined) return false;
    if (pauseOf(object, this.#using.dependencies.clock) !== undefined || this.#pauses.isReported(id, object))
      return false;
    return this.#finalizers.length === 0 || this.#finalizersOn(object).length === this.#finalizers.length;
  }
  /** Records the object with which a run starts. */
  #read(run: ReconcileRun, object: KubeObject): void {
    if (this.#secrets !== undefined) currentSecrets()?.remember(object, this.#secrets);
    run.known = object;
    run.deleting = object.metadata.deletionTimestamp !== undefined;
  }
  async #runSteps(run: ReconcileRun, caughtUp: Promise<boolean> | undefined): Promise<Outcome> {
    const { informer, dependencies } = this.#using;
    let object = caughtUp === undefined || (await caughtUp) ? informer.get(run.key) : await this.#live(run);
    if (object === undefined) return { kind: 'forgotten' };
    this.#read(run, object);
    const present = this.#finalizersOn(object);
    if (run.deleting && present.length === 0) return { kind: 'forgotten' };
    const pause = pauseOf(object, dependencies.clock);
    if (pause !== undefined) return this.#pause(run, object, pause);
    if (this.#pauses.isReported(run.id, object)) object = await this.#resume(run, object);
    if (run.deleting) return this.#finalize(run, object);
    const missing = this.#finalizers.map(({ name }) => name).filter((name) => !present.includes(name));
    if (missing.length > 0) {
      const added = await this.#patchFinalizers(run, object, finalizerAddition(object, missing));
      if ('kind' in added) return added;
      object = added.object;
    }
    return this.#reconcile(run, object);
  }

  /**
   * Calls `onError` with a failure, and returns the result of `onError`. Returns undefined if `onError` is not defined, if the object was
   * deleted, or if `onError` does not return a `Result`. If `onError` throws an error, logs the error and returns undefined.
   */
  async failed(run: ReconcileRun, failure: Failure): Promise<Result | undefined> {
    const { reconciler } = this.#using.dependencies;
    const object = this.#using.informer.get(run.key);
    if (reconciler.onError === undefined || object === undefined) return undefined;
    const restarted = run.limit.restart();
    const context = Object.freeze({
      ...run.context,
      signal: restarted.signal,
      lastAttempt: failure.lastAttempt ?? false,
      terminal: failure.terminal !== undefined,
      during: run.deleting ? 'finalize' : 'reconcile',
    } as const);
    try {
      const answer = await this.#inScope(run, restarted, async () =>
        reconciler.onError?.(object, failure.error, context),
      );
      return answer instanceof Result ? answer : undefined;
    } catch (error) {
      if (isConflict(error)) run.context.log.debug('onError failed with a conflict', { error });
      else {
        const message = 'onError failed; handling the original error';
        logFailure(run.context.log, error, { level: 'error', message, fields: { error } });
      }
      return undefined;
    } finally {
      run.limit.end();
    }
  }

  /**
   * Logs the outcome and writes it to the status of the object, as `OutcomeReporter.report` describes. `object` is the current object. It
   * is undefined if the object was deleted or recreated, or if the run did not read the object.
   */
  report(run: ReconcileRun, outcome: Outcome, object: KubeObject | undefined): Outcome | Promise<Outcome> {
    return this.#reporter.report(outcome, {
      log: run.context.log,
      deleting: run.deleting,
      object,
      inScope: this.#scopeOf(run),
    });
  }

  #scopeOf(run: ReconcileRun): ReportedRun['inScope'] {
    return (write) => this.#inScope(run, undefined, write);
  }
  /** Calls `work` so that its client calls use the field manager and the scope of this run. */
  #inScope<R>(run: ReconcileRun, signal: RunSignal | undefined, work: () => R): R {
    return runInScope(new RunScope(this.#scope, run, signal), work);
  }

  /**
   * Reads the object from the API server, because the cache is behind the last event of the object and did not catch up in time. Returns
   * undefined if the object does not exist or the cache does not select it.
   */
  async #live({ key }: ReconcileRun): Promise<KubeObject | undefined> {
    const { informer, dependencies, options } = this.#using;
    const object = await dependencies.live.find(options.kind, key);
    if (object === undefined) return undefined;
    informer.wrote(object);
    return informer.get(key);
  }

  /** Reports the start of a pause if it is not reported yet. */
  async #pause(run: ReconcileRun, object: KubeObject, pause: Pause): Promise<Outcome> {
    const { log } = run.context;
    await this.#inScope(run, run.limit.current, () => this.#pauses.begin(run.id, { object, pause, log }));
    return { kind: 'paused', pause };
  }
  /** Reports the end of a pause. Resolves with the current object. */
  #resume(run: ReconcileRun, object: KubeObject): Promise<KubeObject> {
    const { log } = run.context;
    return this.#inScope(run, run.limit.current, () => this.#pauses.end(run.id, { object, log }));
  }

  /** Returns the names of the finalizers of this controller that are present on the object. */
  #finalizersOn(object: KubeObject): readonly string[] {
    return this.#finalizers.map(({ name }) => name).filter((name) => hasFinalizer(object, name));
  }

  /** Calls `reconcile`. Throws the synchronous errors of `reconcile`. */
  #reconcile(run: ReconcileRun, object: KubeObject): Promise<Outcome> {
    const { current } = run.limit;
    const answer: unknown = this.#inScope(run, current, () => {
      current.throwIfAborted();
      return this.#using.dependencies.reconciler.reconcile(object, run.context);
    });
    return Promise.resolve(answer).then(this.#outcomeOf);
  }
  readonly #outcomeOf = (answer: unknown): Outcome => ({ kind: 'result', result: checkedResult(answer, this.#caller) });

  /**
   * Calls the function of each finalizer. Removes each finalizer whose function returned done, even if the function of another finalizer
   * failed.
   */
  async #finalize(run: ReconcileRun, object: KubeObject): Promise<Outcome> {
    const { dependencies, informer } = this.#using;
    const { context, limit } = run;
    const { done, result, failure } = await this.#inScope(run, limit.current, () =>
      runFinalizers(this.#finalizers, { object, context, now: dependencies.clock.now() }),
    );
    if (done.length > 0) {
      const current = informer.get(run.key) ?? object;
      const released = await this.#patchFinalizers(run, current, finalizerRemoval(current, done));
      if ('kind' in released && failure === undefined) return released;
    }
    if (failure !== undefined) throw failure.error;
    return { kind: 'result', result };
  }

  async #patchFinalizers(
    run: ReconcileRun,
    object: KubeObject,
    operations: readonly JsonPatchOperation[],
  ): Promise<{ readonly object: KubeObject } | Outcome> {
    try {
      const patched = await this.#using.dependencies.patch(object, operations);
      const body = { metadata: { finalizers: patched.metadata.finalizers ?? null } };
      this.#using.onWrite(run, { verb: 'patch', object: patched }, { body, before: object });
      return { object: patched };
    } catch (error) {
      if (isNotFound(error)) return { kind: 'forgotten' };
      if (isConflict(error) || isInvalid(error)) return { kind: 'conflict', error };
      if (!isRefusal(error)) this.#using.onUnanswered(run, object);
      throw error;
    }
  }
}
