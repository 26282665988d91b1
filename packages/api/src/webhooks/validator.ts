import type { KubeObject } from '../objects/kube-object.js';
import type { AdmissionContext } from './admission-context.js';
import { recordWebhook } from './record-webhook.js';
import type { Violation } from './violation.js';
import type { WebhookOptions } from './webhook-options.js';

/** Validates what CEL rules cannot express. */
export interface Validator<T extends KubeObject> {
  /**
   * Returns all violations of the object. An empty list admits the object. On delete, `object` is the object to delete. `old` is the stored
   * object on update and delete, and undefined on create. Both objects are frozen.
   *
   * A thrown `DeniedError` rejects the request with status 403 and the message of the error. A thrown `ApiError` rejects the request with
   * the status of the error. Any other error is logged and counted, and rejects the request with status 500.
   */
  validate(
    object: T,
    old: T | undefined,
    context: AdmissionContext,
  ): readonly Violation[] | Promise<readonly Violation[]>;
}

/**
 * Declares a class as a validating admission webhook of a kind. Add the class to the manager. Throws INVALID_WEBHOOK if an option is not
 * valid.
 *
 * @example
 * @Validator({ for: CronJob })
 * class CronJobValidator implements Validator<CronJob> {
 *   validate({ spec }: CronJob): Violation[] {
 *     return isCron(spec.schedule) ? [] : [{ field: 'spec.schedule', message: 'must be in cron format, such as "0 * * * *"' }];
 *   }
 * }
 */
export function Validator<T extends KubeObject>(
  options: WebhookOptions<T>,
): (target: new (...services: never[]) => Validator<T>) => void {
  return (target) => recordWebhook(target, 'validator', options);
}
