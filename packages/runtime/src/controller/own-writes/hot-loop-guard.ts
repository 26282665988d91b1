import type { KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { kindRefOf } from '@kubewright/api/metadata';
import type { Change } from '../../cache/store/change.js';
import type { Reader } from '../../client/reads/reader.js';
import type { SentWrite, Write } from '../../client/scope/write.js';
import type { EventRecorder } from '../../events/event-recorder.js';
import type { ReconcileRun } from '../runs/reconcile-run.js';
import type { ResolvedControllerOptions } from '../options/resolved-options.js';
import { type HotLoop, reportOf } from './hot-loop.js';
import { type EndedRun, HotLoops } from './hot-loops.js';

/** The dependencies of a `HotLoopGuard`. */
export interface HotLoopGuardOptions {
  readonly clock: Clock;
  /** Reads objects with their managed fields, which the cache may not contain. */
  readonly live: Reader;
  readonly events: EventRecorder;
  /** Called for each loop that is reported. */
  readonly onLoop: () => void;
}

/** Detects the hot loops of one controller, reports them, and delays the reconciles of the affected objects. */
export class HotLoopGuard {
  readonly #controller: string;
  readonly #using: HotLoopGuardOptions;
  readonly #loops: HotLoops | undefined;
  /** Loops that are reported at the start of the next run. The object then contains the change of the other writer. */
  readonly #unreported = new Map<string, HotLoop>();

  constructor(options: ResolvedControllerOptions, using: HotLoopGuardOptions) {
    const { name, kindName, hotLoops } = options;
    this.#controller = name;
    this.#using = using;
    if (hotLoops !== false) this.#loops = new HotLoops(using.clock, { damps: hotLoops === 'damp', kindName });
  }

  /** Records a write of a run. */
  wrote(id: string, write: Write, sent: SentWrite | undefined): void {
    this.#loops?.wrote(id, write, sent);
  }
  /** Records a change of the object that the controller did not cause. */
  changed(id: string, change: Change<KubeObject>): void {
    this.#loops?.changed(id, change);
  }
  /** Whether writes in the reconciles of an object are recorded. If not, `before` and `after` have no effect. */
  isTracked(id: string): boolean {
    return this.#loops?.isTracked(id) ?? false;
  }
  /** Returns the remaining delay of the object because of a hot loop, in milliseconds. */
  dampedMs(id: string): number {
    return this.#loops?.dampedMs(id) ?? 0;
  }
  /** Releases the state of a deleted object. */
  forget(id: string): void {
    this.#loops?.forget(id);
    this.#unreported.delete(id);
  }

  /**
   * Records the start of a run. If the previous run detected a loop, reports the loop, and returns a promise that resolves when the loop is
   * reported. Otherwise, and if the object does not exist, returns undefined.
   */
  before(run: ReconcileRun, object: KubeObject | undefined): Promise<void> | undefined {
    this.#loops?.began(run.id, object);
    const loop = this.#unreported.get(run.id);
    if (loop === undefined || object === undefined) return undefined;
    this.#unreported.delete(run.id);
    return this.#report(loop, run, object);
  }
  /** Reports a loop with a warning and an event. */
  async #report(loop: HotLoop, run: ReconcileRun, object: KubeObject): Promise<void> {
    const report = reportOf(loop, await this.#read(loop, run), this.#controller);
    const { message, fields, others } = report;
    run.context.log.warn(message, { written: report.object, fields, others });
    this.#using.events.warning(object, 'HotLoop', message);
    this.#using.onLoop();
  }
  /** Evaluates the writes of a completed run. Logs the end of a loop. The start of a loop is reported at the start of the next run. */
  after(run: ReconcileRun, how: EndedRun): void {
    const { began, ended } = this.#loops?.ended(run, how) ?? {};
    if (began !== undefined) this.#unreported.set(run.id, began);
    if (ended === undefined || this.#unreported.delete(run.id)) return;
    run.context.log.info(`${ended.fields[0]?.name} is no longer written repeatedly`);
  }

  async #read({ fields }: HotLoop, { context }: ReconcileRun): Promise<KubeObject | undefined> {
    const object = fields[0]?.object;
    if (object === undefined) return undefined;
    try {
      return await this.#using.live.find(kindRefOf(object), object.metadata);
    } catch (error) {
      context.log.debug('cannot determine the other writers of an object in a hot loop', { error });
      return undefined;
    }
  }
}
