import type { Clock } from '@kubewright/api/clock';
import { ApiError, KubewrightError } from '@kubewright/api/errors';
import { retryWithBackOff } from '../../waiting/retry-with-back-off.js';
import type { Logger } from '../../log/logger.js';
import { logFailure } from '../../transport/sending/server-outage.js';

/** The codes of errors that a retry can resolve. */
const PASSING: ReadonlySet<string> = new Set([
  'KIND_NOT_SERVED',
  'REQUEST_FAILED',
  'REQUEST_TIMEOUT',
  'DISCOVERY_FAILED',
]);

/**
 * Calls the functions that start the informers of a controller. Retries without a time limit as long as the API server does not serve a
 * kind, returns an error, or cannot be reached.
 */
export class ControllerOpening {
  readonly #controller: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** The current problem of each function that is being retried. */
  readonly #problems = new Map<() => Promise<unknown>, string>();

  constructor(controller: string, { clock, logger }: { readonly clock: Clock; readonly logger: Logger }) {
    this.#controller = controller;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** The current problems, as sentences. The list is empty if no attempt has failed. */
  get problems(): readonly string[] {
    return [...this.#problems.values()];
  }

  /**
   * Calls `attempt`, and repeats the call with back-off as long as the server does not serve a kind, returns an error, or does not answer.
   * Logs each problem once. Rejects with the reason of the signal, and with any error that a retry cannot resolve.
   */
  async persist<R>(attempt: () => Promise<R>, signal: AbortSignal): Promise<R> {
    const onFailure = (error: unknown): void => {
      if (!mayPass(error)) throw error;
      this.#logAttempt(attempt, error);
    };
    try {
      return await retryWithBackOff(attempt, { clock: this.#clock, signal, onFailure });
    } finally {
      this.#problems.delete(attempt);
    }
  }

  #logAttempt(attempt: () => Promise<unknown>, error: KubewrightError): void {
    const problem = `controller '${this.#controller}' cannot start its informers: ${error.message}`;
    const isNew = problem !== this.#problems.get(attempt);
    this.#problems.set(attempt, problem);
    // The message is sufficient. The stack trace would only show internal calls.
    const message = `${problem}; trying again`;
    if (isNew) logFailure(this.#logger, error, { level: 'error', message, fields: { code: error.code } });
    this.#logger.debug(problem, { error });
  }
}

function mayPass(error: unknown): error is KubewrightError {
  if (error instanceof ApiError) return true;
  return error instanceof KubewrightError && PASSING.has(error.code);
}
