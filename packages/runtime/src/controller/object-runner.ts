import type { KubeObject } from '@kubewright/api';
import { isConflict, isInvalid, isNotFound, KubewrightError } from '@kubewright/api/errors';
import { parseKey } from '../cache/object-key.js';
import { runInScope } from '../client/reconcile-scope.js';
import type { SentWrite, Write } from '../client/write.js';
import type { ControllerDependencies } from './controller-dependencies.js';
import { addFinalizer, hasFinalizer, type JsonPatchOperation, removeFinalizer } from './finalizer.js';
import type { Failure, Outcome } from './outcome.js';
import { pauseOf } from './pause.js';
import type { Pauses } from './pauses.js';
import type { ReconcileRun } from './reconcile-run.js';
import { ownedKinds, type ResolvedControllerOptions } from './resolved-options.js';
import { Result } from './result.js';
import type { WatchedObjects } from './watched-objects.js';

/** What an `ObjectRunner` works with. */
export interface ObjectRunnerOptions {
  readonly options: ResolvedControllerOptions;
  readonly dependencies: ControllerDependencies;
  readonly objects: WatchedObjects<KubeObject>;
  readonly pauses: Pauses;
  /** Called after each write of a run that the server accepted. */
  readonly onWrite: (run: ReconcileRun, write: Write, sent: SentWrite | undefined) => void;
}

/** Calls the author's code for one object, with what belongs before and after it: the pause, and the finalizer. */
export class ObjectRunner {
  readonly #using: ObjectRunnerOptions;

  constructor(using: ObjectRunnerOptions) {
    this.#using = using;
  }

  /** One run. Rejects with what the author's code, or a request before or after it, rejects with. */
  async run(run: ReconcileRun): Promise<Outcome> {
    const { options, dependencies, objects } = this.#using;
    const { reconciler } = dependencies;
    let object = objects.get(parseKey(run.id));
    if (object === undefined) return { kind: 'forgotten' };
    run.deleting = object.metadata.deletionTimestamp !== undefined;
    if (run.deleting && (reconciler.finalize === undefined || !hasFinalizer(object, options.finalizer))) {
      return { kind: 'forgotten' };
    }
    const paused = await this.#pause(run, object);
    if ('kind' in paused) return paused;
    object = paused.object;
    if (!run.deleting && reconciler.finalize !== undefined && !hasFinalizer(object, options.finalizer)) {
      const added = await this.#patchFinalizers(run, object, addFinalizer(object, options.finalizer));
      if ('kind' in added) return added;
      object = added.object;
    }
    const result = await this.#call(run, object);
    if (!run.deleting || result.kind !== 'done') return { kind: 'result', result };
    const current = objects.get(parseKey(run.id)) ?? object;
    const released = await this.#patchFinalizers(run, current, removeFinalizer(current, options.finalizer));
    return 'kind' in released ? released : { kind: 'result', result };
  }

  /** Hands a failure to `onError`, where there is one, and gives what it answers. What it throws is logged. */
  async failed(run: ReconcileRun, failure: Failure): Promise<Result | undefined> {
    const { reconciler } = this.#using.dependencies;
    const object = this.#using.objects.get(parseKey(run.id));
    if (reconciler.onError === undefined || object === undefined) return undefined;
    const context = Object.freeze({
      ...run.context,
      signal: run.limit.restart(),
      lastAttempt: failure.lastAttempt ?? false,
      terminal: failure.terminal !== undefined,
      during: run.deleting ? 'finalize' : 'reconcile',
    } as const);
    try {
      const answer = await this.inScope(run, context.signal, async () =>
        reconciler.onError?.(object, failure.error, context),
      );
      return answer instanceof Result ? answer : undefined;
    } catch (error) {
      if (isConflict(error)) run.context.log.debug('somebody else wrote while onError did', { error });
      else run.context.log.error('onError failed; the error that it was called for stands', { error });
      return undefined;
    } finally {
      run.limit.end();
    }
  }

  /** Does something as the controller on behalf of the run. */
  inScope<R>(run: ReconcileRun, signal: AbortSignal | undefined, work: () => R): R {
    const { options, onWrite } = this.#using;
    const scope = {
      controller: options.name,
      owns: ownedKinds(options),
      log: run.context.log,
      onWrite: (write: Write, sent?: SentWrite) => onWrite(run, write, sent),
    };
    return runInScope(signal === undefined ? scope : { ...scope, signal }, work);
  }

  /** What the pause of the object, or its end, leads to. */
  async #pause(run: ReconcileRun, object: KubeObject): Promise<{ readonly object: KubeObject } | Outcome> {
    const { pauses, dependencies } = this.#using;
    const { log, signal } = run.context;
    const pause = pauseOf(object, dependencies.clock.now());
    if (pause === undefined) {
      return { object: await this.inScope(run, signal, () => pauses.end(run.id, { object, log })) };
    }
    await this.inScope(run, signal, () => pauses.begin(run.id, { object, pause, log }));
    return { kind: 'paused', pause };
  }

  /** Calls the author's code. What it throws at once is a rejection like any other. */
  async #call(run: ReconcileRun, object: KubeObject): Promise<Result> {
    const { reconciler } = this.#using.dependencies;
    const { signal } = run.limit;
    const result: unknown = await this.inScope(run, signal, async () => {
      signal.throwIfAborted();
      return run.deleting ? reconciler.finalize?.(object, run.context) : reconciler.reconcile(object, run.context);
    });
    if (result instanceof Result) return result;
    const method = run.deleting ? 'finalize' : 'reconcile';
    throw new KubewrightError(
      'NO_RESULT',
      `${method} of controller '${this.#using.options.name}' returned ${describeValue(result)}: return Result.done(), or when to come again`,
    );
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
      throw error;
    }
  }
}

function describeValue(value: unknown): string {
  return value === undefined ? 'nothing' : typeof value === 'object' ? 'an object that is no Result' : String(value);
}
