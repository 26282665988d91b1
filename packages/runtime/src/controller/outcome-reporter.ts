import { type KubeObject, setCondition } from '@kubewright/api';
import { isConflict, isNotFound } from '@kubewright/api/errors';
import type { EventRecorder } from '../events/event-recorder.js';
import { shownText } from '../log/known-secrets.js';
import type { Logger } from '../log/logger.js';
import { isPassing } from '../transport/retry.js';
import { isOfLoggedOutage, logFailure } from '../transport/server-outage.js';
import type { ConditionWriter } from './controller-dependencies.js';
import type { Failure, Outcome } from './outcome.js';
import { rbacCure } from './rbac-text.js';

/** An error is told on the object from the third in a row on; those before are often over at once. */
const FAILURES_TO_TELL = 3;

/** A run as far as its report needs it. */
export interface ReportedRun {
  readonly log: Logger;
  /** Whether it was `finalize` that ran. */
  readonly deleting: boolean;
  /** The object as it is now, unless it is gone. */
  readonly object: KubeObject | undefined;
}

/** What an `OutcomeReporter` tells, and with what. */
export interface OutcomeReporterOptions {
  /** The condition that tells success and errors; undefined for none. */
  readonly condition: string | undefined;
  /** Whether the status has an observedGeneration. */
  readonly observesGeneration: boolean;
  /** After how long an object comes again whatever its outcome, in milliseconds; undefined for never. */
  readonly everyMs: number | undefined;
  readonly writer: ConditionWriter;
  readonly events: EventRecorder;
}

/** Tells of the outcome of a run: to the log, and on the object by its condition and an event. */
export class OutcomeReporter {
  readonly #options: OutcomeReporterOptions;

  constructor(options: OutcomeReporterOptions) {
    this.#options = options;
  }

  /**
   * Resolves with the outcome. Where it could not be told on the object, and the key would not come again by itself, it resolves with
   * what makes it come: a conflict when somebody else wrote meanwhile, a failure when the server may take it another time.
   */
  async report(outcome: Outcome, run: ReportedRun): Promise<Outcome> {
    switch (outcome.kind) {
      case 'forgotten':
      case 'stopped':
      case 'paused':
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

  async #reportError(failure: Failure, run: ReportedRun): Promise<Outcome> {
    const { error, terminal, attempt = 1, lastAttempt = terminal !== undefined } = failure;
    const message = shownText(error instanceof Error ? error.message : `threw ${String(error)}, which is not an Error`);
    const waiting = `waiting for a change of the object${this.#options.everyMs === undefined ? '' : ", or for 'every'"}`;
    const ending = lastAttempt ? waiting : 'trying again';
    const cure = rbacCure(error);
    const failed = `${run.deleting ? 'finalize' : 'reconcile'} failed`;
    logFailure(run.log, error, {
      level: 'error',
      message: `${failed}; ${ending}${cure === undefined ? '' : `; ${cure}`}`,
      fields: { error, attempt },
    });
    // During an outage, the server takes neither the event nor the condition.
    if (!lastAttempt && (attempt < FAILURES_TO_TELL || isOfLoggedOutage(error))) return failure;
    const reason = terminal?.reason ?? 'ReconcileFailed';
    if (run.object !== undefined) this.#options.events.warning(run.object, reason, message);
    return this.#tell(failure, run, { status: false, reason, message });
  }

  async #tell(
    outcome: Outcome,
    run: ReportedRun,
    condition: { readonly status: boolean; readonly reason: string; readonly message: string },
  ): Promise<Outcome> {
    const { condition: type, observesGeneration, writer } = this.#options;
    const observed = condition.status;
    if (run.object === undefined || (type === undefined && !(observed && observesGeneration))) return outcome;
    try {
      await writer.patchStatus(
        run.object,
        (status) => {
          if (type !== undefined) setCondition(status, { type, ...condition });
        },
        { observed },
      );
      return outcome;
    } catch (error) {
      if (isNotFound(error)) return outcome;
      const untold = type === undefined ? 'the observed generation' : `the condition ${type}`;
      // What failed comes again, and is told then; that its server is in trouble was told just now.
      const level = comesAgain(outcome) && isPassing(error) ? 'debug' : 'warn';
      const line = `could not write ${untold}`;
      if (level === 'warn' && !isConflict(error))
        logFailure(run.log, error, { level, message: line, fields: { error } });
      else if (!isConflict(error)) run.log.debug(line, { error });
      if (comesAgain(outcome)) return outcome;
      if (isConflict(error)) return { kind: 'conflict', error };
      return isPassing(error) ? { kind: 'error', error, terminal: undefined } : outcome;
    }
  }
}

function comesAgain(outcome: Outcome): boolean {
  return outcome.kind === 'error' && outcome.terminal === undefined && outcome.lastAttempt !== true;
}
