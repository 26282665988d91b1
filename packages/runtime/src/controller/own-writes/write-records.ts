import type { KubeObject } from '@kubewright/api';
import type { SentWrite, Write } from '../../client/scope/write.js';
import type { ControllerDependencies } from '../runs/controller-dependencies.js';
import type { ControllerInformer } from '../informers/controller-informer.js';
import type { ControllerSources } from '../informers/controller-sources.js';
import type { ReconcileRun } from '../runs/reconcile-run.js';
import type { ResolvedControllerOptions } from '../options/resolved-options.js';
import { Echoes } from './echoes.js';
import { HotLoopGuard } from './hot-loop-guard.js';
import { knownAfter } from './known-object.js';
import { ReconciledObject } from './reconciled-object.js';
import { UnansweredWrites } from './unanswered-writes.js';

/** The dependencies of `WriteRecords`. */
export interface WriteRecordsOptions {
  readonly dependencies: Pick<ControllerDependencies, 'clock' | 'events' | 'live'>;
  readonly sources: Pick<ControllerSources, 'primary' | 'watches'>;
  /** Called for each hot loop that is reported. */
  readonly onLoop: () => void;
}

/** Records the writes in the reconciles of one controller, to recognize echoes, writes without a response, and hot loops. */
export class WriteRecords {
  readonly echoes: Echoes;
  readonly unanswered: UnansweredWrites;
  readonly hotLoops: HotLoopGuard;
  readonly #reconciled: ReconciledObject;

  constructor(options: ResolvedControllerOptions, { dependencies, sources, onLoop }: WriteRecordsOptions) {
    const { clock, events, live } = dependencies;
    const reconciled = new ReconciledObject(options.kind);
    this.#reconciled = reconciled;
    this.echoes = new Echoes({ reconciled, informer: sources.primary, watches: () => sources.watches });
    this.unanswered = new UnansweredWrites({ reconciled, clock });
    this.hotLoops = new HotLoopGuard(options, { clock, events, live, onLoop });
  }

  /** Records a write of a run that the server accepted. */
  wrote(run: ReconcileRun, write: Write, sent: SentWrite | undefined): void {
    this.hotLoops.wrote(run.id, write, sent);
    this.echoes.wrote(run.id, write, sent);
    this.unanswered.answered(run.id, write.object);
    if (this.#reconciled.is(run.id, write.object)) run.known = knownAfter(run.known, write, sent);
  }
  /**
   * Records the cached object at the start of a run. If the previous run found a hot loop, returns a promise that resolves when the loop is
   * reported.
   */
  began(run: ReconcileRun, informer: Pick<ControllerInformer<KubeObject>, 'get'>): Promise<void> | undefined {
    if (!this.unanswered.has(run.id) && !this.hotLoops.isTracked(run.id)) return undefined;
    const cached = informer.get(run.key);
    if (cached !== undefined) this.unanswered.read(run.id, cached);
    return this.hotLoops.before(run, cached);
  }
  /** Releases the state of a deleted object. */
  forget(id: string): void {
    this.hotLoops.forget(id);
    this.unanswered.forget(id);
  }
}
