import { randomUUID } from 'node:crypto';
import type { KubeObject } from '@kubewright/api';
import { isConflict, isInvalid, isNotFound, KubewrightError } from '@kubewright/api/errors';
import type { Change } from '../cache/change.js';
import { formatKey, parseKey } from '../cache/object-key.js';
import { runInScope } from '../client/reconcile-scope.js';
import type { Write } from '../client/write.js';
import type { ControllerMetrics } from '../metrics/controller-metrics.js';
import type { Cause } from '../queue/cause.js';
import { describeCause } from '../queue/causes.js';
import { guardedDelayRule } from '../queue/delay-rule.js';
import { type QueueItem, WorkQueue } from '../queue/work-queue.js';
import type { ControllerDependencies } from './controller-dependencies.js';
import { type ControllerStats, newCounters } from './controller-stats.js';
import { addFinalizer, hasFinalizer, type JsonPatchOperation, removeFinalizer } from './finalizer.js';
import { countedResult, isProgrammingError, nextRun, type Outcome, outcomeOfError } from './outcome.js';
import { OutcomeReporter } from './outcome-reporter.js';
import { OwnWrites } from './own-writes.js';
import { RunLimit } from './run-limit.js';
import type { ReconcileContext } from './reconciler.js';
import { ownedKinds, type ResolvedControllerOptions } from './resolved-options.js';
import { Result } from './result.js';
import { causeOf, type TriggerTarget } from './triggers.js';
import type { WatchedObjects } from './watched-objects.js';

/** Objects of a first list go after those that changed since. */
const INITIAL_PRIORITY = -100;
/** `every` comes up to a tenth earlier, so that objects which were made together do not stay together. */
const JITTER = 0.1;

/** One run that has not ended. */
interface Run {
  readonly limit: RunLimit;
  readonly context: ReconcileContext;
  /** Changes of the object that came meanwhile; which of them are echoes is known when the run has ended. */
  readonly meanwhile: { readonly change: Change<KubeObject>; readonly epoch: number | undefined }[];
  deleting: boolean;
}

/**
 * The queue and the workers of one controller. An object is never reconciled twice at a time; what a reconcile throws, returns or
 * fails to return stays with its object.
 */
export class ReconcileLoop implements TriggerTarget {
  readonly #options: ResolvedControllerOptions;
  readonly #dependencies: ControllerDependencies;
  readonly #objects: WatchedObjects<KubeObject>;
  readonly #queue: WorkQueue<string>;
  readonly #reporter: OutcomeReporter;
  readonly #metrics: ControllerMetrics;
  readonly #endMetrics: () => void;
  readonly #ownWrites = new OwnWrites();
  readonly #runs = new Map<string, Run>();
  readonly #failures = new Map<string, number>();
  readonly #ending = new Set<Promise<void>>();
  readonly #counters = newCounters();
  #stopping = false;

  constructor(
    options: ResolvedControllerOptions,
    using: { readonly dependencies: ControllerDependencies; readonly objects: WatchedObjects<KubeObject> },
  ) {
    const { dependencies } = using;
    this.#options = options;
    this.#dependencies = dependencies;
    this.#objects = using.objects;
    const { clock, metrics, logger } = dependencies;
    const queueMetrics = metrics.queue(options.name);
    this.#queue = new WorkQueue({
      clock,
      delayRule: guardedDelayRule(options.delayRule, (error) => {
        logger.error('the delay rule of backoff failed; the default counts', { controller: options.name, error });
      }),
      retryLimit: options.retryLimit,
      patienceMs: options.patienceMs,
      metrics: queueMetrics,
    });
    this.#metrics = metrics.controller(options.name);
    this.#endMetrics = metrics.onCollect(() => {
      const { unfinishedWorkMs, longestRunningMs } = this.#queue.stats();
      queueMetrics.running(unfinishedWorkMs, longestRunningMs);
    });
    this.#reporter = new OutcomeReporter({
      condition: options.errorCondition,
      writer: dependencies.conditions,
      events: dependencies.events,
    });
  }

  stats(): ControllerStats {
    return { ...this.#counters, queue: this.#queue.stats() };
  }
  /** Keys that are ready, due or being reconciled. */
  pending(retriesWithinMs: number): readonly string[] {
    return this.#queue.pending(retriesWithinMs);
  }

  changed(id: string, change: Change<KubeObject>): void {
    const epoch = this.#epoch;
    const run = this.#runs.get(id);
    if (run === undefined) this.#admit(id, change, epoch);
    else run.meanwhile.push({ change, epoch });
  }
  trigger(id: string, cause: Cause): void {
    this.#queue.add(id, { cause, after: this.#options.debounceMs });
    this.#dependencies.onActivity();
  }

  /** Starts the workers. */
  start(): void {
    this.#metrics.concurrency(this.#options.concurrency);
    for (let worker = 0; worker < this.#options.concurrency; worker++) void this.#work();
  }
  /** Begins nothing more, aborts what runs, and resolves when it has ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const { limit } of this.#runs.values()) limit.stop();
    await this.#queue.shutDown();
    await Promise.all(this.#ending);
    this.#endMetrics();
  }

  /** Between two equal ones every version came as a change of its own; undefined while several may come together. */
  get #epoch(): number | undefined {
    const { state, lists } = this.#objects.status;
    return state.name === 'watching' ? lists : undefined;
  }

  #admit(id: string, change: Change<KubeObject>, epoch: number | undefined): void {
    if (this.#ownWrites.takeEcho(id, change, epoch)) return;
    if (change.type !== 'deleted' && !this.#options.when(change)) return;
    const initial = change.type === 'added' && change.initial;
    const after = this.#options.debounceMs;
    this.#queue.add(id, { after, cause: causeOf('own', change), ...(initial && { priority: INITIAL_PRIORITY }) });
    this.#dependencies.onActivity();
  }

  /** One worker: takes keys until the queue is shut down. It does not wait for a run that is long over its time. */
  async #work(): Promise<void> {
    for (let item = await this.#queue.get(); item !== undefined; item = await this.#queue.get()) {
      const run = this.#begin(item);
      const ended = this.#run(item, run);
      this.#ending.add(ended);
      void ended.then(() => this.#ending.delete(ended));
      const overdue = run.limit.overdue.then(() => 'overdue' as const);
      if ((await Promise.race([ended, overdue])) === 'overdue') {
        run.context.log.error('reconcile goes on after its time limit without heeding its signal; others go first');
      }
    }
  }

  #begin(item: QueueItem<string>): Run {
    const { name, kindName, timeoutMs } = this.#options;
    const limit = new RunLimit(this.#dependencies.clock, timeoutMs);
    const log = this.#dependencies.logger.with({
      controller: name,
      object: `${kindName} ${item.key}`,
      reconcileId: randomUUID(),
      causes: item.causes.map(describeCause),
    });
    const attempt = (this.#failures.get(item.key) ?? 0) + 1;
    const run: Run = {
      limit,
      context: Object.freeze({ log, signal: limit.signal, causes: item.causes, attempt }),
      meanwhile: [],
      deleting: false,
    };
    this.#runs.set(item.key, run);
    this.#metrics.began(item.causes);
    return run;
  }

  /** One run from begin to end. Never rejects. */
  async #run(item: QueueItem<string>, run: Run): Promise<void> {
    const startedMs = this.#dependencies.clock.monotonicMs();
    let outcome = await this.#attempt(item.key, run).catch(outcomeOfError);
    run.limit.end();
    if (this.#stopping && outcome.kind !== 'result') outcome = { kind: 'stopped' };
    outcome = await this.#report(item.key, run, outcome);
    this.#count(outcome, run, this.#dependencies.clock.monotonicMs() - startedMs);
    this.#settle(item, outcome);
    this.#runs.delete(item.key);
    this.#metrics.left();
    for (const { change, epoch } of run.meanwhile) this.#admit(item.key, change, epoch);
    this.#queue.done(item.key);
    this.#dependencies.onActivity();
    if (outcome.kind === 'error' && this.#options.failFast) this.#dependencies.onFatal(outcome.error);
  }

  async #attempt(id: string, run: Run): Promise<Outcome> {
    const { finalizer } = this.#options;
    const { reconciler } = this.#dependencies;
    let object = this.#stopping ? undefined : this.#objects.get(parseKey(id));
    if (object === undefined) return { kind: 'forgotten' };
    run.deleting = object.metadata.deletionTimestamp !== undefined;
    if (run.deleting) {
      if (reconciler.finalize === undefined || !hasFinalizer(object, finalizer)) return { kind: 'forgotten' };
    } else if (reconciler.finalize !== undefined && !hasFinalizer(object, finalizer)) {
      const added = await this.#patchFinalizers(object, addFinalizer(object, finalizer));
      if ('kind' in added) return added;
      object = added.object;
    }
    const result = await this.#inScope(id, run, object);
    if (!run.deleting || result.kind !== 'done') return { kind: 'result', result };
    const current = this.#objects.get(parseKey(id)) ?? object;
    const released = await this.#patchFinalizers(current, removeFinalizer(current, finalizer));
    return 'kind' in released ? released : { kind: 'result', result };
  }

  /** Calls the author's code. What it throws at once is a rejection like any other. */
  async #inScope(id: string, run: Run, object: KubeObject): Promise<Result> {
    const { reconciler } = this.#dependencies;
    const method = run.deleting ? 'finalize' : 'reconcile';
    const scope = {
      controller: this.#options.name,
      owns: ownedKinds(this.#options),
      onWrite: (write: Write) => {
        this.#metrics.wrote(write.verb, write.object.kind);
        this.#wrote(id, write);
      },
    };
    const { signal } = run.limit;
    const result: unknown = await runInScope({ ...scope, signal }, async () => {
      signal.throwIfAborted();
      return run.deleting ? reconciler.finalize?.(object, run.context) : reconciler.reconcile(object, run.context);
    });
    if (result instanceof Result) return result;
    throw new KubewrightError(
      'NO_RESULT',
      `${method} of controller '${this.#options.name}' returned ${describeValue(result)}: return Result.done(), or when to come again`,
    );
  }

  async #patchFinalizers(
    object: KubeObject,
    operations: readonly JsonPatchOperation[],
  ): Promise<{ readonly object: KubeObject } | Outcome> {
    try {
      const patched = await this.#dependencies.patch(object, operations);
      this.#wrote(formatKey(object.metadata), { verb: 'patch', object: patched });
      return { object: patched };
    } catch (error) {
      if (isNotFound(error)) return { kind: 'forgotten' };
      if (isConflict(error) || isInvalid(error)) return { kind: 'conflict', error };
      throw error;
    }
  }

  /** Remembers a write on the very object that is being reconciled. */
  #wrote(id: string, { verb, object, subresource }: Write): void {
    if (verb === 'delete' || object.kind !== this.#options.kindName || formatKey(object.metadata) !== id) return;
    this.#ownWrites.record(id, object.metadata.resourceVersion, {
      epoch: this.#epoch,
      ofStatus: subresource === 'status',
    });
    this.#objects.wrote(object);
  }

  async #report(id: string, run: Run, outcome: Outcome): Promise<Outcome> {
    const failures = outcome.kind === 'error' ? (this.#failures.get(id) ?? 0) + 1 : 0;
    if (failures > 0) this.#failures.set(id, failures);
    else if (outcome.kind !== 'conflict') this.#failures.delete(id);
    const { name: controller } = this.#options;
    const onWrite = (write: Write): void => this.#wrote(id, write);
    try {
      const object = this.#objects.get(parseKey(id));
      const reported = { log: run.context.log, failures, deleting: run.deleting, object };
      return await runInScope({ controller, owns: [], onWrite }, () => this.#reporter.report(outcome, reported));
    } catch (error) {
      this.#dependencies.logger.error('could not report the outcome of a reconcile', { controller, object: id, error });
      return outcome;
    }
  }

  #count(outcome: Outcome, run: Run, runMs: number): void {
    const counters = this.#counters;
    const metrics = this.#metrics;
    if (run.limit.expired) {
      counters.timeouts++;
      metrics.timedOut();
    }
    if (outcome.kind === 'forgotten' || outcome.kind === 'stopped') return;
    metrics.ended(countedResult(outcome), runMs);
    if (outcome.kind === 'error' && outcome.terminal !== undefined) metrics.terminal();
    if (outcome.kind === 'error' && isProgrammingError(outcome.error)) metrics.panicked();
    counters.runs++;
    counters.runMs += runMs;
    if (outcome.kind === 'conflict') counters.conflict++;
    else if (outcome.kind === 'error') {
      counters.error++;
      if (outcome.terminal !== undefined) counters.terminal++;
    } else if (outcome.result.kind === 'done') counters.success++;
    else if (outcome.result.kind === 'requeue') counters.requeue++;
    else counters.requeueAfter++;
  }

  /** Applies the rules: the new outcome replaces every timer that an older one set. */
  #settle(item: QueueItem<string>, outcome: Outcome): void {
    const { everyMs } = this.#options;
    const jittered = everyMs === undefined ? undefined : everyMs * (1 - JITTER * this.#dependencies.random());
    const next = nextRun(outcome, jittered, this.#dependencies.clock.now());
    if (next.forget) this.#queue.forget(item.key);
    if (next.add !== undefined) this.#queue.add(item.key, { ...next.add, priority: item.priority });
  }
}

function describeValue(value: unknown): string {
  return value === undefined ? 'nothing' : typeof value === 'object' ? 'an object that is no Result' : String(value);
}
