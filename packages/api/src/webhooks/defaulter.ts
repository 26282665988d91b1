import type { KubeObject } from '../objects/kube-object.js';
import type { Draft } from '../objects/readonly.js';
import type { AdmissionContext } from './admission-context.js';
import { recordWebhook } from './record-webhook.js';
import type { DefaulterOptions } from './webhook-options.js';

/** Sets defaults that a schema cannot express. */
export interface Defaulter<T extends KubeObject> {
  /**
   * Edits the draft of the object in the request. The framework sends the edits to the API server as the smallest JSON patch.
   *
   * Must be idempotent: a second call changes nothing. `testDefaulter` of `@kubewright/testing` checks this. If the method throws an
   * error, the API server rejects the request or ignores the webhook, as `failurePolicy` specifies; see `Validator.validate`.
   */
  default(draft: Draft<T>, context: AdmissionContext): void | Promise<void>;
}

/**
 * Declares a class as a mutating admission webhook that sets the defaults of a kind. Add the class to the manager. Throws INVALID_WEBHOOK
 * if an option is not valid.
 *
 * @example
 * @Defaulter({ for: CronJob })
 * class CronJobDefaulter implements Defaulter<CronJob> {
 *   default(draft: Draft<CronJob>): void {
 *     draft.spec.timeZone ??= 'Etc/UTC';
 *   }
 * }
 */
export function Defaulter<T extends KubeObject>(
  options: DefaulterOptions<T>,
): (target: new (...services: never[]) => Defaulter<T>) => void {
  return (target) => recordWebhook(target, 'defaulter', options);
}
