import { KubewrightError } from '../errors/kubewright-error.js';

/**
 * An apply that is refused for what is applied, with Kubernetes' words: 400 for what no apply may say, 500 where the
 * object does not fit its schema (the API server answers that without a reason).
 */
export class ApplyError extends KubewrightError {
  /** The HTTP status of the answer. */
  readonly status: 400 | 500;
  /** The reason of the answer's Status. */
  readonly reason: 'BadRequest' | '';
  constructor(status: 400 | 500, message: string) {
    super('INVALID_APPLY', message);
    this.status = status;
    this.reason = status === 400 ? 'BadRequest' : '';
  }
}
