import type { AnyClass } from '../metadata/any-class.js';
import { metadataOf, recordMetadata } from '../metadata/reflection.js';
import { checkPolicyOptions } from './check-policy-options.js';
import type { PolicyOptions } from './policy-options.js';

/** Records the options of a policy on its class. Throws INVALID_POLICY. */
export function recordPolicy(target: AnyClass, options: PolicyOptions): void {
  checkPolicyOptions(options, target.name === '' ? 'an unnamed class' : `class ${target.name}`);
  // Decorators run from the last one to the first one.
  recordMetadata(target, (metadata) => ({ ...metadata, policies: [options, ...(metadata.policies ?? [])] }));
}

/** Returns the options of the policies that a class declares, in the order of the source. A subclass does not inherit policies. */
export function policiesOf(target: AnyClass): readonly PolicyOptions[] {
  return (metadataOf(target).policies ?? []) as readonly PolicyOptions[];
}
