/** Reports that the call of a webhook failed. The message is the text of a kube-apiserver. */
export class WebhookCallError extends Error {
  override readonly name: string = 'WebhookCallError';
}

/** Reports that the configuration of a webhook does not allow a call, for example because its `caBundle` contains no certificate. */
export class WebhookSetupError extends WebhookCallError {
  override readonly name = 'WebhookSetupError';
}
