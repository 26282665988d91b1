import type { KubeObject } from '@kubewright/api';
import { setCondition } from '@kubewright/api';
import { isConflict, isNotFound } from '@kubewright/api/errors';
import type { EventRecorder } from '../events/event-recorder.js';
import type { Logger } from '../log/logger.js';
import type { ConditionWriter } from './controller-dependencies.js';
import type { Outcome } from './outcome.js';

/** An error is told on the object from the third in a row on; those before are often over at once. */
const FAILURES_TO_TELL = 3;

/** A run as far as its report needs it. */
export interface ReportedRun {
  readonly log: Logger;
  /** Runs that failed in a row, this one included. */
  readonly failures: number;
  /** Whether it was `finalize` that ran. */
  readonly deleting: boolean;
  /** The object as it is now, unless it is gone. */
  readonly object: KubeObject | undefined;
}

/** Tells of the outcome of a run: to the log, and on the object by its condition and an event. */
export class OutcomeReporter {
  readonly #condition: string | undefined;
  readonly #writer: ConditionWriter;
  readonly #events: EventRecorder;

  constructor(options: {
    readonly condition: string | undefined;
    readonly writer: ConditionWriter;
    readonly events: EventRecorder;
  }) {
    this.#condition = options.condition;
    this.#writer = options.writer;
    this.#events = options.events;
  }

  /** Resolves with the outcome, or with a conflict when the condition could not be written because somebody else wrote meanwhile. */
  async report(outcome: Outcome, run: ReportedRun): Promise<Outcome> {
    switch (outcome.kind) {
      case 'forgotten':
      case 'stopped':
        return outcome;
      case 'conflict':
        run.log.debug('somebody else wrote meanwhile; trying again', { error: outcome.error });
        return outcome;
      case 'result':
        run.log.debug('reconciled', { result: outcome.result.kind });
        if (run.deleting || outcome.result.kind === 'requeue') return outcome;
        return this.#tell(outcome, run, { status: true, reason: 'Reconciled', message: '' });
      case 'error':
        return this.#reportError(outcome, run);
    }
  }

  async #reportError(outcome: Outcome & { readonly kind: 'error' }, run: ReportedRun): Promise<Outcome> {
    const { error, terminal } = outcome;
    const message = error instanceof Error ? error.message : `threw ${String(error)}, which is no Error`;
    const ending = terminal === undefined ? 'trying again' : 'waiting for a change of the object';
    run.log.error(`${run.deleting ? 'finalize' : 'reconcile'} failed; ${ending}`, { error, attempt: run.failures });
    if (terminal === undefined && run.failures < FAILURES_TO_TELL) return outcome;
    const reason = terminal?.reason ?? 'ReconcileFailed';
    if (run.object !== undefined) this.#events.warning(run.object, reason, message);
    return this.#tell(outcome, run, { status: false, reason, message });
  }

  async #tell(
    outcome: Outcome,
    run: ReportedRun,
    condition: { readonly status: boolean; readonly reason: string; readonly message: string },
  ): Promise<Outcome> {
    const type = this.#condition;
    if (type === undefined || run.object === undefined) return outcome;
    try {
      await this.#writer.patchStatus(run.object, (status) => setCondition(status, { type, ...condition }));
      return outcome;
    } catch (error) {
      if (isConflict(error))
        return outcome.kind === 'error' && !outcome.terminal ? outcome : { kind: 'conflict', error };
      if (!isNotFound(error)) run.log.warn(`could not write the condition ${type}`, { error });
      return outcome;
    }
  }
}
