import type { KubeObject } from '@kubewright/api';
import type { Change } from '../cache/store/change.js';
import { KnownSecrets } from '../log/known-secrets.js';
import type { ControllerMetrics } from '../metrics/controller-metrics.js';
import type { QueueMetrics } from '../metrics/queue-metrics.js';
import { guardedDelayRule } from '../queue/delay-rule.js';
import { type QueueItem, WorkQueue } from '../queue/work-queue.js';
import { withFence } from '../transport/request/write-fence.js';
import { logFailure } from '../transport/sending/server-outage.js';
import { BlockedNames } from './blockers/blocked-names.js';
import type { ControllerDependencies } from './runs/controller-dependencies.js';
import type { ControllerSources } from './informers/controller-sources.js';
import type { ControllerStats } from './runs/controller-stats.js';
import { ObjectRunner } from './object-runner.js';
import { type Failure, type Outcome, outcomeName, outcomeOfError } from './reconciler/outcome.js';
import { asKnown } from './own-writes/known-object.js';
import { WriteRecords } from './own-writes/write-records.js';
import { Pace } from './pace.js';
import { ReconcileRequests } from './reconcile-requests.js';
import { newRun, type ReconcileRun } from './runs/reconcile-run.js';
import { ownedKinds, type ResolvedControllerOptions } from './options/resolved-options.js';
import { RetrySchedule } from './runs/retry-schedule.js';
import { RunTally } from './runs/run-tally.js';
import { RunTraces } from './runs/run-traces.js';
import type { Trigger, TriggerTarget } from './triggers/trigger-context.js';
import type { ControllerInformer } from './informers/controller-informer.js';
import { type StartedRun, WorkerPool } from './worker-pool.js';

/**
 * Reconciles the objects of one controller. `ReconcileRequests` adds keys to the queue, and `WorkerPool` takes keys from the queue. This
 * class then reconciles the object of the key, and `RetrySchedule` requeues the key. The same object is never reconciled concurrently. If a
 * reconcile fails, other objects are not affected, except with `failFast`.
 */
export class ReconcileLoop implements TriggerTarget {
  readonly #options: ResolvedControllerOptions;
  readonly #dependencies: ControllerDependencies;
  readonly #informer: ControllerInformer<KubeObject>;
  readonly #queue: WorkQueue<string>;
  readonly #requests: ReconcileRequests;
  readonly #workers: WorkerPool;
  readonly #pace: Pace;
  readonly #runner: ObjectRunner;
  readonly #retries: RetrySchedule;
  readonly #writes: WriteRecords;
  readonly #blocked: BlockedNames | undefined;
  readonly #tally: RunTally;
  readonly #traces: RunTraces;
  readonly #endMetrics: () => void;
  readonly #runs = new Map<string, ReconcileRun>();
  #stopping = false;

  constructor(
    options: ResolvedControllerOptions,
    using: {
      readonly dependencies: ControllerDependencies;
      readonly sources: Pick<ControllerSources, 'primary' | 'watches'>;
    },
  ) {
    const { dependencies, sources } = using;
    const { clock, fence, logger } = dependencies;
    const metrics = dependencies.metrics.controller(options.name);
    const queueMetrics = dependencies.metrics.queue(options.name);
    const informer = sources.primary;
    this.#options = options;
    this.#dependencies = dependencies;
    this.#informer = informer;
    const delayRule = guardedDelayRule(options.delayRule, (error) => {
      const message = 'the delay function of backoff failed; using the default delay';
      logger.error(message, { controller: options.name, error });
    });
    const { retryLimit, starvationLimitMs: starvationLimit } = options;
    const queue = new WorkQueue<string>({ clock, delayRule, retryLimit, starvationLimit }, queueMetrics);
    this.#queue = queue;
    this.#endMetrics = this.#measure(metrics, queueMetrics);
    this.#tally = new RunTally(clock, metrics);
    this.#traces = new RunTraces(options, dependencies.tracer);
    this.#pace = new Pace(options);
    this.#writes = new WriteRecords(options, { dependencies, sources, onLoop: () => this.#tally.hotLoop() });
    this.#runner = new ObjectRunner({
      options,
      dependencies,
      informer,
      onWrite: (run, write, sent) => {
        this.#tally.wrote(write);
        this.#writes.wrote(run, write, sent);
      },
      onUnanswered: (run, object) => this.#writes.unanswered.noted(run.id, object),
    });
    this.#retries = new RetrySchedule({ options, dependencies, queue, delayRule, forget: (id) => this.#forget(id) });
    this.#requests = new ReconcileRequests(options, {
      dependencies,
      informer,
      queue,
      runs: this.#runs,
      writes: this.#writes,
      tally: this.#tally,
      traces: this.#traces,
    });
    this.#blocked = this.#blockedNames();
    this.#workers = new WorkerPool({
      concurrency: options.concurrency,
      queue,
      metrics,
      fence,
      putOff: (item) => this.#putOff(item),
      begin: (item) => this.#begin(item),
    });
  }

  stats(): Omit<ControllerStats, 'triggerErrors'> {
    return { ...this.#tally.counters, paused: this.#runner.paused, queue: this.#queue.stats() };
  }
  /** Returns the keys that are ready, being reconciled, or due within `retriesWithinMs` milliseconds. */
  pending(retriesWithinMs: number): readonly string[] {
    return this.#queue.pending(retriesWithinMs);
  }
  changed(id: string, change: Change<KubeObject>): void {
    this.#requests.changed(id, change);
  }
  trigger(id: string, trigger: Trigger): void {
    this.#requests.trigger(id, trigger);
  }

  /** Starts to reconcile. */
  start(): void {
    this.#workers.start();
  }
  /** Sets the maximum number of concurrent reconciles. Does not interrupt running reconciles. */
  resize(concurrency: number): void {
    this.#workers.resize(concurrency);
  }
  /**
   * Resolves if reconciles still run after `stop` and all of them have ignored their aborted signal for 5 s. Never resolves if all
   * reconciles end.
   */
  get stuck(): Promise<void> {
    return this.#workers.stuck;
  }
  /** Aborts the running reconciles and does not start others. Resolves when all reconciles have ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    // Abort listeners of a run can call the client. With the fence, these writes are still checked.
    withFence(this.#dependencies.fence, () => {
      for (const { limit } of this.#runs.values()) limit.stop();
    });
    await this.#workers.stop();
    await this.#blocked?.close();
    this.#endMetrics();
  }

  /** Requeues a key whose run is delayed by `minInterval` or by a hot loop. Returns whether the key was requeued. */
  #putOff(item: QueueItem<string>): boolean {
    const now = this.#dependencies.clock.monotonicMs();
    const waitMs = this.#pace.waitMs(item, now, this.#writes.hotLoops.dampedMs(item.key));
    if (waitMs <= 0) return false;
    this.#queue.add(item.key, { after: waitMs, priority: item.priority });
    this.#queue.resumeRetry(item);
    this.#queue.done(item.key);
    return true;
  }
  #begin(item: QueueItem<string>): StartedRun {
    const startedMs = this.#dependencies.clock.monotonicMs();
    const causes = this.#pace.begin(item, startedMs);
    const attempt = this.#retries.attemptOf(item.key);
    const run = newRun({ id: item.key, causes, attempt, startedMs }, this.#options, this.#dependencies);
    this.#runs.set(item.key, run);
    this.#tally.began(run);
    this.#traces.begin(run);
    this.#observe(run);
    const ended = new KnownSecrets().within(() => this.#traces.within(run, () => this.#run(item, run)));
    return { run, ended };
  }

  #observe({ id, context }: ReconcileRun, outcome?: Outcome): void {
    const { name: controller, kindName: kind } = this.#options;
    this.#dependencies.onRun?.({
      controller,
      kind,
      object: id,
      causes: context.causes,
      ...(outcome === undefined ? { phase: 'started' } : { phase: 'ended', outcome: outcomeName(outcome) }),
    });
  }

  /**
   * Executes a run and reports its outcome. Never rejects. Does not use `await`, because each `await` creates a promise, and Node.js copies
   * the asynchronous context to each promise.
   */
  #run(item: QueueItem<string>, run: ReconcileRun): Promise<void> {
    const loopReported = this.#writes.began(run, this.#informer);
    return loopReported === undefined ? this.#execute(item, run) : loopReported.then(() => this.#execute(item, run));
  }
  #execute(item: QueueItem<string>, run: ReconcileRun): Promise<void> {
    const ended: Promise<Outcome> = this.#stopping ? Promise.resolve({ kind: 'stopped' }) : this.#runner.run(run);
    return ended.then(
      (outcome) => this.#ended(item, run, outcome),
      (error: unknown) => this.#ended(item, run, outcomeOfError(error)),
    );
  }
  #ended(item: QueueItem<string>, run: ReconcileRun, given: Outcome): void | Promise<void> {
    run.limit.end();
    const outcome: Outcome = this.#stopping && given.kind !== 'result' ? { kind: 'stopped' } : given;
    let reported: Outcome | Promise<Outcome> = outcome;
    try {
      reported = this.#report(item, run, outcome);
    } catch (error) {
      this.#reportFailed(run, error);
    }
    if (!(reported instanceof Promise)) return this.#settle(item, run, reported);
    return reported.then(
      (final) => this.#settle(item, run, final),
      (error: unknown) => {
        this.#reportFailed(run, error);
        this.#settle(item, run, outcome);
      },
    );
  }
  #reportFailed(run: ReconcileRun, error: unknown): void {
    const fields = { controller: this.#options.name, object: run.id, error };
    const message = 'cannot report the outcome of a reconcile';
    logFailure(this.#dependencies.logger, error, { level: 'error', message, fields });
  }
  /** Counts and requeues an ended run, and releases its key. */
  #settle(item: QueueItem<string>, run: ReconcileRun, outcome: Outcome): void {
    this.#tally.ended(outcome, run);
    this.#traces.end(run, outcome);
    this.#observe(run, outcome);
    this.#retries.settle(item, outcome);
    if (!this.#stopping) this.#blocked?.ended(run.id, run.taken);
    if (this.#writes.hotLoops.isTracked(run.id)) {
      this.#writes.hotLoops.after(run, {
        object: this.#informer.get(run.key),
        well: outcome.kind === 'result',
        againMs: this.#queue.dueInMs(run.id),
      });
    }
    this.#runs.delete(item.key);
    for (const work of run.meanwhile) work();
    this.#queue.done(item.key);
    this.#dependencies.onActivity();
    if (outcome.kind === 'error' && this.#options.failFast) this.#dependencies.onFatal(outcome.error);
  }
  /** Counts failed attempts, calls `onError` after a failure, and reports the outcome. */
  #report(item: QueueItem<string>, run: ReconcileRun, ended: Outcome): Outcome | Promise<Outcome> {
    if (ended.kind === 'error') return this.#reportFailure(item, run, ended);
    if (ended.kind !== 'conflict') this.#retries.succeeded(run.id);
    return this.#reportNow(run, ended);
  }
  async #reportFailure(item: QueueItem<string>, run: ReconcileRun, ended: Failure): Promise<Outcome> {
    const failure = this.#retries.failed(item, run.context.attempt, ended);
    return this.#reportNow(run, { ...failure, answer: await this.#runner.failed(run, failure) });
  }
  #reportNow(run: ReconcileRun, outcome: Outcome): Outcome | Promise<Outcome> {
    return this.#runner.report(run, outcome, asKnown(this.#informer.get(run.key), run.known));
  }
  /** Releases the state of a deleted object. */
  #forget(id: string): void {
    for (const each of [this.#pace, this.#runner, this.#writes, this.#traces]) each.forget(id);
  }

  #blockedNames(): BlockedNames | undefined {
    const { names: source, clock, logger } = this.#dependencies;
    if (source === undefined) return undefined;
    const wake = (id: string, blocker: string): void =>
      this.trigger(id, { cause: { kind: 'watched', source: blocker } });
    return new BlockedNames({ owns: ownedKinds(this.#options), source, clock, logger, wake });
  }
  /** Registers a callback that calculates metrics when they are collected. Returns a function that unregisters the callback. */
  #measure(metrics: ControllerMetrics, queueMetrics: QueueMetrics): () => void {
    const endMeasuring = this.#dependencies.metrics.onCollect(() => {
      const { unfinishedWorkMs, longestRunningMs } = this.#queue.stats();
      queueMetrics.running(unfinishedWorkMs, longestRunningMs);
      metrics.paused(this.#runner.paused);
    });
    return () => {
      endMeasuring();
      queueMetrics.ended();
      metrics.paused(0);
    };
  }
}
