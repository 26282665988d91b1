import type { KindRef, KubeObject } from '@kubewright/api';
import type { ReconcileScope } from '../../client/scope/reconcile-scope.js';
import type { SentWrite, Write } from '../../client/scope/write.js';
import type { Logger } from '../../log/logger.js';
import type { ReconcileRun } from './reconcile-run.js';
import type { RunSignal } from './run-signal.js';

/** The properties that the scopes of all runs of a controller have in common. */
export interface RunScopeOptions {
  /** The name of the controller. */
  readonly controller: string;
  readonly owns: readonly KindRef[];
  /** Called each time the server has accepted a write of a run. */
  readonly onWrite: (run: ReconcileRun, write: Write, sent: SentWrite | undefined) => void;
  /** Called after a write of a run with an unknown result. */
  readonly onUnanswered: (run: ReconcileRun, object: KubeObject) => void;
}

/** The scope of the client calls of one run. Creates an `AbortSignal` only for a call that needs one. */
export class RunScope implements ReconcileScope {
  readonly controller: string;
  readonly object: string;
  readonly owns: readonly KindRef[];
  readonly log: Logger;
  readonly #options: RunScopeOptions;
  readonly #run: ReconcileRun;
  readonly ending: RunSignal | undefined;

  constructor(options: RunScopeOptions, run: ReconcileRun, signal: RunSignal | undefined) {
    this.controller = options.controller;
    this.object = run.id;
    this.owns = options.owns;
    this.log = run.context.log;
    this.#options = options;
    this.#run = run;
    this.ending = signal;
  }

  get signal(): AbortSignal | undefined {
    return this.ending?.signal;
  }
  onWrite(write: Write, sent?: SentWrite): void {
    this.#options.onWrite(this.#run, write, sent);
  }
  onUnanswered(object: KubeObject): void {
    this.#options.onUnanswered(this.#run, object);
  }
  onTaken(present: KubeObject): void {
    this.#run.taken.push(present);
  }
}
