import { createRequire } from 'node:module';
import type { Authorizer } from '../../authorization/authorizer.js';
import type { AdmissionRequest, Mutator, Validator } from '../../registry/admission/admission-check.js';
import { policyBuckets } from './configured-policies.js';
import type { MutatingPolicies } from './mutating-review.js';
import type { ValidatingPolicies } from './validating-review.js';

// Most servers have no policies, so the code that evaluates policies is loaded when a request first needs it.
const load = createRequire(import.meta.url);

/** Returns the validator that reviews writes with ValidatingAdmissionPolicies. */
export function validatingPolicies(authorizer: Authorizer): Validator {
  let policies: ValidatingPolicies | undefined;
  return function* (request) {
    if (request.registry.store.list(policyBuckets.validating.bindings).length === 0 || isOnPolicy(request)) return;
    if (policies === undefined) {
      const loaded = load('./validating-review.js') as typeof import('./validating-review.js');
      policies = new loaded.ValidatingPolicies(authorizer);
    }
    yield* policies.review(request);
  };
}

/**
 * Returns the mutator that changes objects with MutatingAdmissionPolicies. The mutator ignores deletions, because a deletion has no object
 * to change.
 */
export function mutatingPolicies(authorizer: Authorizer): Mutator {
  let policies: MutatingPolicies | undefined;
  return (request) => {
    if (request.operation === 'DELETE' || isOnPolicy(request)) return undefined;
    if (request.registry.store.list(policyBuckets.mutating.bindings).length === 0) return undefined;
    if (policies === undefined) {
      const loaded = load('./mutating-review.js') as typeof import('./mutating-review.js');
      policies = new loaded.MutatingPolicies(authorizer);
    }
    return policies.begin(request);
  };
}

/**
 * Whether the request is on a policy or a binding of a policy. Policies do not review such a request, because a policy could prevent its
 * own correction.
 */
function isOnPolicy({ definition }: AdmissionRequest): boolean {
  return (
    definition.group === 'admissionregistration.k8s.io' && /admissionpolic(ies|ybindings)$/.test(definition.plural)
  );
}
