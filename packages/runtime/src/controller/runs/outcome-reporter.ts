import { type KubeObject, setCondition } from '@kubewright/api';
import { isConflict, isNotFound, valueText } from '@kubewright/api/errors';
import type { EventRecorder } from '../../events/event-recorder.js';
import { shownText } from '../../log/known-secrets.js';
import type { Logger } from '../../log/logger.js';
import { isPassing } from '../../transport/sending/retry.js';
import { isOfLoggedOutage, logFailure } from '../../transport/sending/server-outage.js';
import type { ConditionWriter } from './controller-dependencies.js';
import type { Failure, Outcome } from '../reconciler/outcome.js';
import { rbacRemedy } from '../../rbac/rbac-text.js';
import { hasReportedStatus, type ReportedStatus } from './reported-status.js';

/** From this number of consecutive failures, an error is reported on the object. Earlier failures are often transient. */
const FAILURES_BEFORE_REPORT = 3;

/** The information about a run that `OutcomeReporter` needs. */
export interface ReportedRun {
  readonly log: Logger;
  /** Whether the object is being deleted, so that the run called the finalizers. */
  readonly deleting: boolean;
  /** The current object. Undefined if the object was deleted or recreated, or if the run did not read the object. */
  readonly object: KubeObject | undefined;
  /** Calls `write` so that its client calls belong to the run. */
  readonly inScope: (write: () => Promise<Outcome>) => Promise<Outcome>;
}

/** The options of an `OutcomeReporter`. */
export interface OutcomeReporterOptions {
  /** The condition that reports success and errors; undefined for none. */
  readonly condition: string | undefined;
  /** Whether the status has conditions that the controller may write. */
  readonly conditions: boolean;
  /** Whether the status has an observedGeneration that the controller may write. */
  readonly observesGeneration: boolean;
  /** The interval after which every object is reconciled again, in milliseconds. Undefined if there is no interval. */
  readonly everyMs: number | undefined;
  readonly writer: ConditionWriter;
  readonly events: EventRecorder;
}

/** Reports the outcome of a run in the log, with a condition of the object, and with an event for the object. */
export class OutcomeReporter {
  readonly #options: OutcomeReporterOptions;

  constructor(options: OutcomeReporterOptions) {
    this.#options = options;
  }

  /**
   * Reports an outcome, and returns the outcome that determines the next run. This is usually the given outcome. If the status cannot be
   * written after a result or after a failure without a retry, the error determines the returned outcome. If another writer changed the
   * object, the outcome is a conflict. If the server may accept the write later, the outcome is a failure. Both requeue the key with
   * back-off. After any other error, the outcome is the given outcome. Returns a promise only if the status must be written.
   */
  report(outcome: Outcome, run: ReportedRun): Outcome | Promise<Outcome> {
    switch (outcome.kind) {
      case 'forgotten':
      case 'stopped':
      case 'paused':
        return outcome;
      case 'conflict':
        run.log.debug('conflict with another writer; trying again', { error: outcome.error });
        return outcome;
      case 'result':
        run.log.debug('reconciled', { result: outcome.result.kind });
        if (run.deleting || outcome.result.kind === 'requeue') return outcome;
        return this.#report(outcome, run, { status: true, reason: 'Reconciled', message: '' });
      case 'error':
        return this.#reportError(outcome, run);
    }
  }

  #reportError(failure: Failure, run: ReportedRun): Outcome | Promise<Outcome> {
    const { error, terminal, attempt = 1, lastAttempt = terminal !== undefined } = failure;
    const message = shownText(
      error instanceof Error ? error.message : `threw ${valueText(error)}, which is not an Error`,
    );
    const waiting = `waiting for a change of the object${this.#options.everyMs === undefined ? '' : ", or for the interval 'every'"}`;
    const ending = lastAttempt ? waiting : 'trying again';
    const remedy = rbacRemedy(error);
    const failed = `${run.deleting ? 'finalize' : 'reconcile'} failed`;
    logFailure(run.log, error, {
      level: 'error',
      message: `${failed}; ${ending}${remedy === undefined ? '' : `; ${remedy}`}`,
      fields: { error, attempt },
    });
    // During an outage, the server accepts neither the event nor the condition.
    if (!lastAttempt && (attempt < FAILURES_BEFORE_REPORT || isOfLoggedOutage(error))) return failure;
    const reason = terminal?.reason ?? 'ReconcileFailed';
    if (run.object !== undefined) this.#options.events.warning(run.object, reason, message);
    return this.#report(failure, run, { status: false, reason, message });
  }

  /** Writes the status if the controller reports a status for this outcome and the object does not have this status yet. */
  #report(outcome: Outcome, run: ReportedRun, condition: ReportedCondition): Outcome | Promise<Outcome> {
    const { condition: type, conditions, observesGeneration } = this.#options;
    const { object } = run;
    const observed = condition.status;
    if (object === undefined || (type === undefined && !(observed && observesGeneration))) return outcome;
    const reported = {
      condition: type === undefined ? undefined : { type, ...condition },
      observed,
      observesGeneration: conditions || observesGeneration ? observesGeneration : undefined,
    };
    if (hasReportedStatus(object, reported)) return outcome;
    return run.inScope(() => this.#write(outcome, { run, object, reported }));
  }

  async #write(outcome: Outcome, { run, object, reported }: StatusWrite): Promise<Outcome> {
    const { condition, observed } = reported;
    try {
      await this.#options.writer.patchStatus(
        object,
        (status) => {
          if (condition !== undefined) setCondition(status, condition);
        },
        { observed },
      );
      return outcome;
    } catch (error) {
      if (isNotFound(error)) return outcome;
      const unreported = condition === undefined ? 'the observed generation' : `the condition ${condition.type}`;
      // The next run of the failed object writes the condition, and the outage was just logged.
      const level = isRetried(outcome) && isPassing(error) ? 'debug' : 'warn';
      const line = `cannot write ${unreported}`;
      if (level === 'warn' && !isConflict(error))
        logFailure(run.log, error, { level, message: line, fields: { error } });
      else if (!isConflict(error)) run.log.debug(line, { error });
      if (isRetried(outcome)) return outcome;
      if (isConflict(error)) return { kind: 'conflict', error };
      return isPassing(error) ? { kind: 'error', error, terminal: undefined } : outcome;
    }
  }
}

type ReportedCondition = Omit<NonNullable<ReportedStatus['condition']>, 'type'>;

/** A status to write after a run. */
interface StatusWrite {
  readonly run: ReportedRun;
  readonly object: KubeObject;
  readonly reported: ReportedStatus;
}

function isRetried(outcome: Outcome): boolean {
  return outcome.kind === 'error' && outcome.terminal === undefined && outcome.lastAttempt !== true;
}
