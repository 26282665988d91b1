import type { KindRef, ObjectKey } from '@kubewright/api';
import type { ControllerDependencies } from './runs/controller-dependencies.js';
import { ControllerSources } from './informers/controller-sources.js';
import type { ControllerStats } from './runs/controller-stats.js';
import { OptionalKinds } from './informers/optional-kinds.js';
import { ReconcileLoop } from './reconcile-loop.js';
import {
  assertSource,
  checkedWatch,
  type DeclaredRead,
  type ResolvedControllerOptions,
} from './options/resolved-options.js';
import { guardedPredicate } from './watches/predicates.js';
import type { Source } from './sources/source.js';
import { TriggerErrors } from './sources/trigger-errors.js';
import { Triggers } from './triggers/triggers.js';
import type { DeclaredWatch, WatchDeclaration } from './watches/watch-declaration.js';

/** A running controller. Connects its sources and watches with its reconcile loop. */
export class ControllerRunner {
  readonly options: ResolvedControllerOptions;
  readonly #sources: ControllerSources;
  readonly #triggers: Triggers;
  readonly #optional: OptionalKinds;
  readonly #loop: ReconcileLoop;
  readonly #errors: TriggerErrors;

  private constructor(
    options: ResolvedControllerOptions,
    sources: ControllerSources,
    dependencies: ControllerDependencies,
  ) {
    this.options = options;
    this.#sources = sources;
    const { logger, metrics } = dependencies;
    this.#errors = new TriggerErrors(options.name, { logger, metrics: metrics.controller(options.name) });
    const when = guardedPredicate(options.when, (error, { object }) => {
      const message = `the 'when' predicate of the controller threw an error; the change is processed`;
      this.#errors.report({ origin: 'predicate', message, object, error });
    });
    const using = { dependencies, sources, errors: this.#errors };
    this.#loop = new ReconcileLoop({ ...options, when }, using);
    this.#triggers = new Triggers(options, { ...using, target: this.#loop });
    const { clock, served } = dependencies;
    const onChange = (reason: string): void => {
      this.#triggers.requestAll(reason);
      dependencies.onActivity();
    };
    this.#optional = new OptionalKinds({ served, clock, logger, onChange });
  }

  /**
   * Creates a runner and opens the declared kinds. Does not start sources or workers. Rejects with KIND_NOT_SERVED, INVALID_CONTROLLER and
   * DUPLICATE_FINALIZER.
   */
  static async open(
    options: ResolvedControllerOptions,
    dependencies: ControllerDependencies,
  ): Promise<ControllerRunner> {
    const sources = await ControllerSources.open(options, {
      informers: dependencies.informers,
      onStatus: dependencies.onActivity,
      clock: dependencies.clock,
    });
    let runner: ControllerRunner | undefined;
    try {
      runner = new ControllerRunner(options, sources, dependencies);
      await runner.#triggers.connect();
      for (const watch of options.watches) if (watch.optional) await runner.#addOptionalWatch(watch);
      for (const read of options.reads) if (read.optional) await runner.#addOptionalRead(read);
      return runner;
    } catch (error) {
      await (runner === undefined ? sources.close() : runner.stop());
      throw error;
    }
  }

  /** Resolves when the first lists of all declared kinds are processed and all sources are synced. Rejects if the signal is aborted. */
  async synced(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#sources.synced(signal), this.#triggers.synced(signal)]);
  }
  /**
   * Adds a watch at run time. Disposing of the result removes the watch. Resolves when the objects of the first list were processed. For an
   * optional kind, resolves when the watch is open, or when the API server does not serve the kind. Rejects with INVALID_CONTROLLER for an
   * invalid declaration, with KIND_NOT_SERVED, and with the reason of the signal.
   */
  async watch(declaration: KindRef | WatchDeclaration<never>, signal: AbortSignal): Promise<AsyncDisposable> {
    const watch = checkedWatch(this.options.name, declaration);
    if (watch.optional) return this.#addOptionalWatch(watch);
    const open = await this.#sources.add(watch);
    const close = async (): Promise<void> => {
      this.#triggers.remove(open);
      await this.#sources.remove(open);
    };
    try {
      await this.#triggers.add(open, signal);
      return { [Symbol.asyncDispose]: close };
    } catch (error) {
      await close();
      throw error;
    }
  }
  /**
   * Adds a source at run time. Disposing of the result removes the source. Resolves when the source is synced. Rejects with
   * INVALID_CONTROLLER if the argument is not a source or if another source has the same name, with SOURCE_FAILED, and with the reason of
   * the signal.
   */
  async listen(source: Source, signal: AbortSignal): Promise<AsyncDisposable> {
    assertSource(this.options.name, source, this.#triggers.sources);
    const close = (): Promise<void> => this.#triggers.removeSource(source);
    try {
      await this.#triggers.addSource(source, signal);
      return { [Symbol.asyncDispose]: close };
    } catch (error) {
      await close();
      throw error;
    }
  }
  /** Starts to reconcile. */
  start(): void {
    this.#loop.start();
  }
  /** Sets the maximum number of concurrent reconciles. Does not interrupt running reconciles. */
  resize(concurrency: number): void {
    this.#loop.resize(concurrency);
  }
  /** Queues a key because the program requested a reconcile. Throws INVALID_KEY. */
  enqueue(key: ObjectKey): void {
    this.#triggers.request(key);
  }
  stats(): ControllerStats {
    return { ...this.#loop.stats(), triggerErrors: this.#errors.counts };
  }
  /** Returns a sentence for each reason why the controller is not ready. The list is empty if the controller is ready. */
  unready(): readonly string[] {
    return [...this.#sources.unready(), ...this.#triggers.unready()];
  }
  /**
   * Returns one line for each pending reconcile, such as 'reconcile machines default/a', and one line for all pending work of mappers and
   * sources. Includes retries that are due within `retriesWithinMs` milliseconds. The list is empty if the controller is idle.
   */
  pending(retriesWithinMs = 0): readonly string[] {
    const { name } = this.options;
    const names = this.#loop.pending(retriesWithinMs).map((id) => `reconcile ${name} ${id}`);
    if (this.#triggers.pending(retriesWithinMs) > 0) names.push(`map ${name}`);
    return names;
  }
  /**
   * Resolves if reconciles still run after `stop` and all of them have ignored their aborted signal for 5 s. Never resolves if all
   * reconciles end.
   */
  get stuck(): Promise<void> {
    return this.#loop.stuck;
  }
  /** Stops the controller. Resolves when all reconciles have ended and the informers are released. */
  async stop(): Promise<void> {
    await Promise.all([this.#optional.close(), this.#triggers.disconnect(), this.#loop.stop()]);
    await this.#sources.close();
  }

  #addOptionalWatch(watch: DeclaredWatch): Promise<AsyncDisposable> {
    return this.#optional.add(watch.kind, async () => {
      const open = await this.#sources.add(watch);
      const close = async (): Promise<void> => {
        this.#triggers.remove(open);
        await this.#sources.remove(open);
      };
      try {
        await this.#triggers.attach(open);
      } catch (error) {
        await close();
        throw error;
      }
      return { informer: open.informer, close };
    });
  }
  #addOptionalRead(read: DeclaredRead): Promise<AsyncDisposable> {
    return this.#optional.add(read.kind, async () => {
      const open = await this.#sources.addRead(read);
      return { informer: open.informer, close: () => this.#sources.removeRead(open) };
    });
  }
}
