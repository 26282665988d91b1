import type { KubeObject } from '@kubewright/api';
import type { Change } from '../cache/store/change.js';
import { parseKey } from '../cache/store/object-key.js';
import type { WorkQueue } from '../queue/work-queue.js';
import type { ControllerDependencies } from './runs/controller-dependencies.js';
import type { WriteRecords } from './own-writes/write-records.js';
import { changesPause } from './reconciler/pause.js';
import { Priorities } from './priorities.js';
import type { ReconcileRun } from './runs/reconcile-run.js';
import type { ResolvedControllerOptions } from './options/resolved-options.js';
import type { RunTally } from './runs/run-tally.js';
import type { RunTraces } from './runs/run-traces.js';
import { causeOf } from './triggers/cause-of.js';
import { LOW_PRIORITY } from './watches/change-priority.js';
import type { Trigger, TriggerTarget } from './triggers/trigger-context.js';
import type { ControllerInformer } from './informers/controller-informer.js';

/**
 * The maximum number of changes that are deferred until a run on the object ends. Further changes are processed immediately. A change that
 * the run itself caused can then trigger an unnecessary reconcile.
 */
const MOST_HELD = 1000;

/** The dependencies of `ReconcileRequests`. */
export interface ReconcileRequestsOptions {
  readonly dependencies: Pick<ControllerDependencies, 'logger' | 'onActivity'>;
  readonly informer: ControllerInformer<KubeObject>;
  readonly queue: WorkQueue<string>;
  /** The current runs by key. */
  readonly runs: ReadonlyMap<string, ReconcileRun>;
  readonly writes: WriteRecords;
  readonly tally: RunTally;
  readonly traces: RunTraces;
}

/**
 * Adds the keys of changes and triggers to the queue. Ignores echoes, which are changes that the controller itself wrote, and changes that
 * `when` rejects. Never ignores a change of the pause annotation. Does not apply `when` to a deletion, and while the result of a write to
 * the object is unknown.
 */
export class ReconcileRequests implements TriggerTarget {
  readonly #options: ResolvedControllerOptions;
  readonly #using: ReconcileRequestsOptions;
  readonly #priorities: Priorities;

  constructor(options: ResolvedControllerOptions, using: ReconcileRequestsOptions) {
    this.#options = options;
    this.#using = using;
    this.#priorities = new Priorities(options, using.dependencies.logger);
  }

  changed(id: string, change: Change<KubeObject>): void {
    const { epoch } = this.#using.informer;
    this.#afterRun(id, () => this.#admit(id, change, epoch));
  }
  trigger(id: string, trigger: Trigger): void {
    const { child } = trigger;
    if (child === undefined) return this.#add(id, trigger);
    this.#afterRun(id, () => {
      const { writes, tally } = this.#using;
      if (writes.echoes.isOfChild(id, child.change, child.epoch)) tally.echo();
      else this.#add(id, trigger);
    });
  }

  /**
   * Calls `work` after the current run on the object ends. Calls `work` immediately for an object without a current run, or if `MOST_HELD`
   * changes already wait for the end of the run. The controller can recognize the echoes of a run only after the run.
   */
  #afterRun(id: string, work: () => void): void {
    const run = this.#using.runs.get(id);
    if (run === undefined || run.meanwhile.length >= MOST_HELD) work();
    else run.meanwhile.push(work);
  }
  #admit(id: string, change: Change<KubeObject>, epoch: number | undefined): void {
    const { writes, tally, traces, queue, dependencies } = this.#using;
    const isEcho = writes.echoes.isOwn(id, change, epoch);
    if (!changesPause(change)) {
      if (isEcho) return tally.echo();
      if (change.type !== 'deleted' && !writes.unanswered.has(id) && !this.#options.when(change)) return;
    }
    writes.hotLoops.changed(id, change);
    const priority = this.#priorities.ofChange(change);
    const cause = causeOf('own', change);
    traces.received(id, cause);
    queue.add(id, { cause, priority, after: this.#options.debounceMs });
    dependencies.onActivity();
  }
  #add(id: string, { cause, priority, lowered = false, afterMs = 0 }: Trigger): void {
    const { informer, traces, queue, dependencies } = this.#using;
    const own = this.#priorities.of(informer.get(parseKey(id)));
    const after = Math.max(afterMs, cause.kind === 'manual' ? 0 : this.#options.debounceMs);
    traces.received(id, cause);
    queue.add(id, { cause, priority: priority ?? (lowered ? own + LOW_PRIORITY : own), after });
    dependencies.onActivity();
  }
}
