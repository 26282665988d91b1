import { messageOf } from '@kubewright/api/errors';
import type { Logger } from '../log/logger.js';
import { logFailure } from '../transport/sending/server-outage.js';

/** Logs each problem of a subject once, until the subject has another problem or none. */
export class ProblemLog {
  readonly #logger: Logger;
  readonly #current = new Map<string, string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Logs a failed operation with its error. The logger masks secrets in the error. */
  failed(subject: string, message: string, error: unknown): void {
    if (!this.#isNew(subject, `${message}: ${messageOf(error)}`)) return;
    logFailure(this.#logger, error, { level: 'error', message, fields: { object: subject, error } });
  }
  /** Logs a state that needs the attention of the user. */
  warn(subject: string, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    if (this.#isNew(subject, message)) this.#logger.warn(message, { object: subject, ...fields });
  }
  /** Logs a state that is usually resolved without the user. */
  note(subject: string, message: string): void {
    if (this.#isNew(subject, message)) this.#logger.info(message, { object: subject });
  }
  /** Ends the problem of a subject. The next problem is logged, even if it is the same. */
  clear(subject: string): void {
    this.#current.delete(subject);
  }

  #isNew(subject: string, problem: string): boolean {
    if (this.#current.get(subject) === problem) return false;
    this.#current.set(subject, problem);
    return true;
  }
}
