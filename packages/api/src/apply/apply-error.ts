import { KubewrightError } from '../errors/kubewright-error.js';

/**
 * An error for an apply that is rejected because of the applied object, in the wording of Kubernetes. Status 400 for fields that an apply
 * must not contain, and 500 for an object that does not match its schema. The API server sends the 500 response without a reason.
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
