import type { AnyClass } from '../metadata/any-class.js';
import type { PolicyOptions } from './policy-options.js';
import { recordPolicy } from './record-policy.js';

/**
 * Declares an admission policy: CEL expressions that the API server evaluates itself, without a call of the operator. Add the class to the
 * manager. `kubewright generate` checks the expressions against the classes of the kinds, and writes a ValidatingAdmissionPolicy or a
 * MutatingAdmissionPolicy with its bindings. Throws INVALID_POLICY if an option is not valid.
 *
 * @example
 * @Policy({
 *   for: CronJob,
 *   validations: [{ rule: 'object.metadata.name.size() <= 52', message: 'the name must have at most 52 characters' }],
 * })
 * export class CronJobNames {}
 */
export function Policy(options: PolicyOptions): (target: AnyClass) => void {
  return (target) => recordPolicy(target, options);
}
