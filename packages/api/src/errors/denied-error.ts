import { KubewrightError } from './kubewright-error.js';

/**
 * The decision of an admission webhook to reject a request. The API server returns the message to the client with status 403. Unlike other
 * errors, a DeniedError is not logged and does not count as a failure of the webhook.
 *
 * @example
 * throw new DeniedError('pods in namespace kube-system cannot be evicted');
 */
export class DeniedError extends KubewrightError {
  constructor(message: string) {
    super('DENIED', message);
  }
}
