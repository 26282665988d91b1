import { KubewrightError } from '../errors/kubewright-error.js';

/**
 * Reports that the API server rejects an apply, in the wording of Kubernetes. The status is 400 if the applied object contains
 * `metadata.managedFields`. The status is 500 if an object does not match its schema, if the version of a manager does not exist, or if the
 * stored managedFields cannot be decoded. `reason` is empty if the status is 500.
 */
export class ApplyError extends KubewrightError {
  /** The HTTP status of the response. */
  readonly status: 400 | 500;
  /** The reason in the Status of the response. */
  readonly reason: 'BadRequest' | '';
  constructor(status: 400 | 500, message: string) {
    super('INVALID_APPLY', message);
    this.status = status;
    this.reason = status === 400 ? 'BadRequest' : '';
  }
}
