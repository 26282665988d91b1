/**
 * Reports that a webhook could not be called, or that its response is not valid. The `failurePolicy` of the webhook decides whether the
 * request fails. The message has the wording of kube-apiserver.
 */
export class WebhookFailure extends Error {
  override readonly name = 'WebhookFailure';

  constructor(webhook: string, why: string, options?: ErrorOptions) {
    super(`failed calling webhook ${JSON.stringify(webhook)}: ${why}`, options);
  }
}
