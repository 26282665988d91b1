/** Reports that the call of a webhook failed. The message is the text of a kube-apiserver. */
export class WebhookCallError extends Error {
  override readonly name = 'WebhookCallError';
}
