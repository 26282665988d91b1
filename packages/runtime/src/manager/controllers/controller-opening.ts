import type { Clock } from '@kubewright/api/clock';
import { ApiError, KubewrightError } from '@kubewright/api/errors';
import { retryWithBackOff } from '../../cache/retry-with-back-off.js';
import type { Logger } from '../../log/logger.js';
import { logFailure } from '../../transport/server-outage.js';

/** No answer came, or it may be another one later. */
const PASSING: ReadonlySet<string> = new Set([
  'KIND_NOT_SERVED',
  'REQUEST_FAILED',
  'REQUEST_TIMEOUT',
  'DISCOVERY_FAILED',
]);

/** Opens what a controller needs, however long it takes until the server tells where its kinds are served. */
export class ControllerOpening {
  readonly #controller: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** What each attempt waits for. */
  readonly #problems = new Map<() => Promise<unknown>, string>();

  constructor(controller: string, { clock, logger }: { readonly clock: Clock; readonly logger: Logger }) {
    this.#controller = controller;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** What is waited for; empty when nothing is. */
  get problems(): readonly string[] {
    return [...this.#problems.values()];
  }

  /**
   * Attempts it again, with back-off, while the server does not know a kind or does not answer; each trouble is logged once. Rejects
   * when the signal is aborted, and with what asking again does not change.
   */
  async persist<R>(attempt: () => Promise<R>, signal: AbortSignal): Promise<R> {
    const onFailure = (error: unknown): void => {
      if (!mayPass(error)) throw error;
      this.#tell(attempt, error);
    };
    try {
      return await retryWithBackOff(attempt, { clock: this.#clock, signal, onFailure });
    } finally {
      this.#problems.delete(attempt);
    }
  }

  #tell(attempt: () => Promise<unknown>, error: KubewrightError): void {
    const problem = `controller '${this.#controller}' cannot find out where its kinds are served: ${error.message}`;
    const isNew = problem !== this.#problems.get(attempt);
    this.#problems.set(attempt, problem);
    // The message says all of it; where our code asked helps nobody but us.
    const message = `${problem}; trying again`;
    if (isNew) logFailure(this.#logger, error, { level: 'error', message, fields: { code: error.code } });
    this.#logger.debug(problem, { error });
  }
}

function mayPass(error: unknown): error is KubewrightError {
  if (error instanceof ApiError) return true;
  return error instanceof KubewrightError && PASSING.has(error.code);
}
