import { randomUUID } from 'node:crypto';
import type { KubeObject } from '@kubewright/api';
import type { Change } from '../cache/store/change.js';
import { parseKey } from '../cache/store/object-key.js';
import type { ControllerMetrics } from '../metrics/controller-metrics.js';
import type { QueueMetrics } from '../metrics/queue-metrics.js';
import { describeCause } from '../queue/causes.js';
import { type DelayRule, guardedDelayRule } from '../queue/delay-rule.js';
import { type QueueAddOptions, type QueueItem, WorkQueue } from '../queue/work-queue.js';
import { BlockedNames } from './blocked-names.js';
import type { ControllerDependencies } from './controller-dependencies.js';
import type { ControllerSources } from './controller-sources.js';
import type { ControllerStats } from './controller-stats.js';
import { ObjectRunner } from './object-runner.js';
import { OutcomeReporter } from './outcome-reporter.js';
import { type Failure, nextRun, type Outcome, outcomeOfError } from './outcome.js';
import { Echoes } from './own-writes/echoes.js';
import { asKnown, knownAfter } from './own-writes/known-object.js';
import { HotLoopGuard } from './own-writes/hot-loop-guard.js';
import { ReconciledObject } from './own-writes/reconciled-object.js';
import { UnansweredWrites } from './own-writes/unanswered-writes.js';
import { Pace } from './pace.js';
import { changesPause } from './pause.js';
import { Pauses } from './pauses.js';
import { Priorities } from './priorities.js';
import type { ReconcileRun } from './reconcile-run.js';
import { ownedKinds, type ResolvedControllerOptions } from './resolved-options.js';
import { RunLimit } from './run-limit.js';
import { RunTally } from './run-tally.js';
import { RunTraces } from './run-traces.js';
import { withFence } from '../transport/request/write-fence.js';
import { causeOf } from './triggers/cause-of.js';
import { LOW_PRIORITY } from './triggers/change-priority.js';
import type { Trigger, TriggerTarget } from './triggers/trigger-context.js';
import { epochOf, type WatchedObjects } from './watched-objects.js';
import { KnownSecrets } from '../log/known-secrets.js';
import { logFailure } from '../transport/sending/server-outage.js';

/** `every` fires up to a tenth earlier, so that objects that were created together are reconciled at different times. */
const JITTER = 0.1;
/** The most changes that are held back during one run. Further changes are processed at once, so that an echo can trigger a reconcile. */
const MOST_HELD = 1000;

/**
 * The queue and the workers of one controller. Reconciles of the same object never overlap. An error or an invalid result of a reconcile
 * affects only its object.
 */
export class ReconcileLoop implements TriggerTarget {
  readonly #options: ResolvedControllerOptions;
  readonly #dependencies: ControllerDependencies;
  readonly #objects: WatchedObjects<KubeObject>;
  readonly #queue: WorkQueue<string>;
  readonly #runner: ObjectRunner;
  readonly #reporter: OutcomeReporter;
  readonly #pace: Pace;
  readonly #pauses: Pauses;
  readonly #priorities: Priorities;
  readonly #hotLoops: HotLoopGuard;
  readonly #blocked: BlockedNames | undefined;
  readonly #tally: RunTally;
  readonly #traces: RunTraces;
  readonly #metrics: ControllerMetrics;
  readonly #endMetrics: () => void;
  readonly #echoes: Echoes;
  readonly #unanswered: UnansweredWrites;
  readonly #runs = new Map<string, ReconcileRun>();
  readonly #failures = new Map<string, number>();
  /** The number of consecutive conflicts of runs that an event started ahead of a retry. */
  readonly #conflicts = new Map<string, number>();
  readonly #delayRule: DelayRule;
  readonly #ending = new Set<Promise<void>>();
  /** The running reconciles, until they end or are overdue. */
  readonly #holding = new Set<Promise<unknown>>();
  /**
   * Resolves when all reconciles that still run after `stop` have ignored their aborted signal for 5 s. Stays pending if all reconciles
   * end.
   */
  readonly stuck: Promise<void>;
  #becomeStuck: () => void = () => undefined;
  #concurrency: number;
  #workers = 0;
  #started = false;
  #stopping = false;

  constructor(
    options: ResolvedControllerOptions,
    using: {
      readonly dependencies: ControllerDependencies;
      readonly sources: Pick<ControllerSources, 'primary' | 'watches'>;
    },
  ) {
    const { dependencies, sources } = using;
    const objects = sources.primary;
    const { clock, conditions: writer, events, metrics } = dependencies;
    this.#options = options;
    this.stuck = new Promise((resolve) => {
      this.#becomeStuck = resolve;
    });
    this.#concurrency = options.concurrency;
    this.#dependencies = dependencies;
    this.#objects = objects;
    this.#metrics = metrics.controller(options.name);
    const queueMetrics = metrics.queue(options.name);
    this.#delayRule = guardedDelayRule(options.delayRule, (error) => {
      const { logger } = dependencies;
      logger.error('the delay function of backoff failed; using the default delay', {
        controller: options.name,
        error,
      });
    });
    this.#queue = this.#newQueue(queueMetrics);
    const endMeasuring = metrics.onCollect(() => this.#measure(queueMetrics));
    this.#endMetrics = () => {
      endMeasuring();
      queueMetrics.ended();
      this.#metrics.paused(0);
    };
    const reconciled = new ReconciledObject(options.kind);
    this.#echoes = new Echoes({ reconciled, objects, watches: () => sources.watches });
    this.#unanswered = new UnansweredWrites({ reconciled, clock });
    this.#pace = new Pace(options);
    this.#pauses = new Pauses({ conditions: options.conditions, writer, events });
    this.#priorities = new Priorities(options, dependencies.logger);
    this.#tally = new RunTally(clock, this.#metrics);
    this.#traces = new RunTraces(options, dependencies.tracer);
    const onLoop = (): void => this.#tally.hotLoop();
    this.#hotLoops = new HotLoopGuard(options, { clock, events, onLoop, live: dependencies.live });
    this.#blocked = this.#blockedNames();
    this.#reporter = new OutcomeReporter({ ...options, condition: options.reconcileCondition, writer, events });
    this.#runner = new ObjectRunner({
      options,
      dependencies,
      objects,
      pauses: this.#pauses,
      onWrite: (run, write, sent) => {
        this.#tally.wrote(write);
        this.#hotLoops.wrote(run.id, write, sent);
        this.#echoes.wrote(run.id, write, sent);
        this.#unanswered.answered(run.id, write.object);
        if (reconciled.is(run.id, write.object)) run.known = knownAfter(run.known, write, sent);
      },
      onUnanswered: (run, object) => this.#unanswered.noted(run.id, object),
    });
  }

  stats(): Omit<ControllerStats, 'triggerErrors'> {
    return { ...this.#tally.counters, paused: this.#pauses.size, queue: this.#queue.stats() };
  }
  /** Returns the keys that are ready, due within `retriesWithinMs` milliseconds, or being reconciled. */
  pending(retriesWithinMs: number): readonly string[] {
    return this.#queue.pending(retriesWithinMs);
  }

  changed(id: string, change: Change<KubeObject>): void {
    const epoch = epochOf(this.#objects);
    this.#afterRun(id, () => this.#admit(id, change, epoch));
  }
  trigger(id: string, trigger: Trigger): void {
    const { child } = trigger;
    if (child === undefined) return this.#add(id, trigger);
    this.#afterRun(id, () => {
      if (this.#echoes.isOfChild(id, child.change, child.epoch)) this.#tally.echo();
      else this.#add(id, trigger);
    });
  }

  /** Starts the workers. */
  start(): void {
    this.#started = true;
    this.resize(this.#concurrency);
  }
  /** Sets the maximum number of concurrent reconciles. Does not interrupt running reconciles. */
  resize(concurrency: number): void {
    this.#concurrency = concurrency;
    this.#metrics.concurrency(concurrency);
    this.#queue.dismiss(Math.max(0, this.#workers - concurrency));
    this.#fill();
  }
  /** Starts no more runs, aborts the running reconciles, and resolves when they have ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    // The abort listeners of the runs can write, and their writes must pass the fence.
    withFence(this.#dependencies.fence, () => {
      for (const { limit } of this.#runs.values()) limit.stop();
    });
    await this.#queue.shutDown();
    void Promise.all(this.#holding).then(() => {
      if (this.#ending.size > 0) this.#becomeStuck();
    });
    await Promise.all(this.#ending);
    await this.#blocked?.close();
    this.#endMetrics();
  }

  #blockedNames(): BlockedNames | undefined {
    const { names: source, clock, logger } = this.#dependencies;
    if (source === undefined) return undefined;
    const wake = (id: string, blocker: string): void =>
      this.trigger(id, { cause: { kind: 'watched', source: blocker } });
    return new BlockedNames({ owns: ownedKinds(this.#options), source, clock, logger, wake });
  }
  #newQueue(metrics: QueueMetrics): WorkQueue<string> {
    const { retryLimit, starvationLimitMs } = this.#options;
    const { clock } = this.#dependencies;
    return new WorkQueue(
      { clock, delayRule: this.#delayRule, retryLimit, starvationLimit: starvationLimitMs },
      metrics,
    );
  }
  /** Updates the metrics that are computed on collection. */
  #measure(metrics: QueueMetrics): void {
    const { unfinishedWorkMs, longestRunningMs } = this.#queue.stats();
    metrics.running(unfinishedWorkMs, longestRunningMs);
    this.#metrics.paused(this.#pauses.size);
  }

  /** Runs `work` after the current run on the object, because only the complete run shows whether a change is an echo. */
  #afterRun(id: string, work: () => void): void {
    const run = this.#runs.get(id);
    if (run === undefined || run.meanwhile.length >= MOST_HELD) work();
    else run.meanwhile.push(work);
  }
  #admit(id: string, change: Change<KubeObject>, epoch: number | undefined): void {
    const isEcho = this.#echoes.isOwn(id, change, epoch);
    if (!changesPause(change)) {
      if (isEcho) return this.#tally.echo();
      if (change.type !== 'deleted' && !this.#unanswered.has(id) && !this.#options.when(change)) return;
    }
    this.#hotLoops.changed(id, change);
    const priority = this.#priorities.ofChange(change);
    const cause = causeOf('own', change);
    this.#traces.received(id, cause);
    this.#queue.add(id, { cause, priority, after: this.#options.debounceMs });
    this.#dependencies.onActivity();
  }

  #add(id: string, { cause, priority, lowered = false, afterMs = 0 }: Trigger): void {
    const own = this.#priorities.of(this.#objects.get(parseKey(id)));
    const after = Math.max(afterMs, cause.kind === 'manual' ? 0 : this.#options.debounceMs);
    this.#traces.received(id, cause);
    this.#queue.add(id, { cause, priority: priority ?? (lowered ? own + LOW_PRIORITY : own), after });
    this.#dependencies.onActivity();
  }

  /** Starts missing workers. */
  #fill(): void {
    if (!this.#started || this.#stopping) return;
    for (; this.#workers < this.#concurrency; this.#workers++) void this.#work();
  }
  /** Runs one worker. The worker takes keys until the queue is shut down or there are too many workers. */
  async #work(): Promise<void> {
    while (this.#workers <= this.#concurrency) {
      const item = await this.#queue.get();
      if (item === undefined) break;
      if (!this.#putOff(item)) await withFence(this.#dependencies.fence, () => this.#workOn(item));
    }
    this.#workers--;
    this.#fill();
  }
  /** Reconciles one object. Does not wait for an overdue run. */
  async #workOn(item: QueueItem<string>): Promise<void> {
    const run = this.#begin(item);
    const ended = new KnownSecrets().within(() => this.#traces.within(run, () => this.#run(item, run)));
    this.#ending.add(ended);
    void ended.then(() => this.#ending.delete(ended));
    const overdue = run.limit.overdue.then(() => 'overdue' as const);
    const held = Promise.race([ended, overdue]);
    this.#holding.add(held);
    if ((await held) === 'overdue') {
      run.context.log.error('reconcile ignores its aborted signal; the controller no longer waits for it');
    }
    this.#holding.delete(held);
  }

  /** Requeues the key if its object must still wait. Returns whether the key was requeued. */
  #putOff(item: QueueItem<string>): boolean {
    const now = this.#dependencies.clock.monotonicMs();
    const waitMs = this.#pace.waitMs(item, now, this.#hotLoops.dampedMs(item.key));
    if (waitMs <= 0) return false;
    this.#queue.add(item.key, { after: waitMs, priority: item.priority });
    this.#queue.resumeRetry(item);
    this.#queue.done(item.key);
    return true;
  }

  #begin(item: QueueItem<string>): ReconcileRun {
    const { name, kindName, timeoutMs } = this.#options;
    const { clock, logger } = this.#dependencies;
    const startedMs = clock.monotonicMs();
    const limit = new RunLimit(clock, timeoutMs);
    const causes = this.#pace.begin(item, startedMs);
    const log = logger.with({
      controller: name,
      object: `${kindName} ${item.key}`,
      reconcileId: randomUUID(),
      causes: causes.map(describeCause),
    });
    const attempt = (this.#failures.get(item.key) ?? 0) + 1;
    const context = Object.freeze({ log, signal: limit.signal, causes, attempt });
    const run: ReconcileRun = {
      id: item.key,
      limit,
      context,
      startedMs,
      meanwhile: [],
      taken: [],
      deleting: false,
      known: undefined,
    };
    this.#runs.set(item.key, run);
    this.#tally.began(run);
    this.#traces.begin(run);
    return run;
  }

  /** Executes one run and its report. Never rejects. */
  async #run(item: QueueItem<string>, run: ReconcileRun): Promise<void> {
    const cached = this.#objects.get(parseKey(run.id));
    if (cached !== undefined) this.#unanswered.read(run.id, cached);
    await this.#hotLoops.before(run, cached);
    let outcome: Outcome = this.#stopping ? { kind: 'stopped' } : await this.#runner.run(run).catch(outcomeOfError);
    run.limit.end();
    if (this.#stopping && outcome.kind !== 'result') outcome = { kind: 'stopped' };
    outcome = await this.#report(item, run, outcome);
    this.#tally.ended(outcome, run);
    this.#traces.end(run, outcome);
    this.#settle(item, outcome);
    if (!this.#stopping) this.#blocked?.ended(run.id, run.taken);
    this.#hotLoops.after(run, {
      object: this.#objects.get(parseKey(run.id)),
      well: outcome.kind === 'result',
      againMs: this.#queue.dueInMs(run.id),
    });
    this.#runs.delete(item.key);
    for (const work of run.meanwhile) work();
    this.#queue.done(item.key);
    this.#dependencies.onActivity();
    if (outcome.kind === 'error' && this.#options.failFast) this.#dependencies.onFatal(outcome.error);
  }

  async #report(item: QueueItem<string>, run: ReconcileRun, ended: Outcome): Promise<Outcome> {
    try {
      const outcome = ended.kind === 'error' ? await this.#failed(item, run, ended) : ended;
      if (outcome.kind !== 'error' && outcome.kind !== 'conflict') this.#failures.delete(run.id);
      const object = asKnown(this.#objects.get(parseKey(run.id)), run.known);
      const reported = { log: run.context.log, deleting: run.deleting, object };
      return await this.#runner.inScope(run, undefined, () => this.#reporter.report(outcome, reported));
    } catch (error) {
      const about = { controller: this.#options.name, object: run.id, error };
      const message = 'cannot report the outcome of a reconcile';
      logFailure(this.#dependencies.logger, error, { level: 'error', message, fields: about });
      return ended;
    }
  }
  /**
   * Counts the failure and calls `onError`. After the last attempt, the count restarts. A run that an event started ahead of a pending
   * retry does not count as an attempt.
   */
  async #failed({ retry }: QueueItem<string>, run: ReconcileRun, { error, terminal }: Failure): Promise<Failure> {
    const { attempt } = run.context;
    const usedUp = retry === undefined && attempt >= this.#options.maxAttempts;
    const failure: Failure = { kind: 'error', error, terminal, attempt, lastAttempt: usedUp || terminal !== undefined };
    if (usedUp) this.#failures.delete(run.id);
    else if (retry === undefined) this.#failures.set(run.id, attempt);
    return { ...failure, answer: await this.#runner.failed(run, failure) };
  }

  /** Requeues the key. The new outcome replaces every timer of an older outcome. */
  #settle(item: QueueItem<string>, outcome: Outcome): void {
    const { everyMs } = this.#options;
    const { clock, random } = this.#dependencies;
    const jittered = everyMs === undefined ? undefined : everyMs * (1 - JITTER * random());
    const next = nextRun(outcome, jittered, { now: clock.now(), random });
    if (next.forget) this.#queue.forget(item.key);
    if (outcome.kind !== 'conflict') this.#conflicts.delete(item.key);
    // A key without a kind is never deleted, so its state is dropped when the key is not requeued.
    if (outcome.kind === 'forgotten' || (this.#options.byKey && next.add === undefined))
      for (const each of [this.#pace, this.#pauses, this.#hotLoops, this.#traces, this.#unanswered])
        each.forget(item.key);
    if (next.add !== undefined) this.#again(item, outcome, { priority: item.priority, ...next.add });
  }
  /** Requeues the key. A run that an event started ahead of a retry does not change that retry or its time. */
  #again(item: QueueItem<string>, outcome: Outcome, add: QueueAddOptions): void {
    const keepsRetry = add.rateLimited === true && item.retry !== undefined;
    if (!keepsRetry) return this.#queue.add(item.key, add);
    this.#queue.resumeRetry(item);
    if (outcome.kind !== 'conflict') return;
    const conflicts = this.#conflicts.get(item.key) ?? 0;
    this.#conflicts.set(item.key, conflicts + 1);
    this.#queue.add(item.key, { ...add, rateLimited: false, after: this.#delayRule(conflicts) });
  }
}
