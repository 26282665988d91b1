import type { Authorizer } from '../authorization/authorizer.js';
import type { AdmissionPlugins } from '../registry/admission/admission.js';
import { builtInChecks, charges, lastChecks } from './built-in-checks.js';
import { createPermission } from './create-permission.js';
import { mutatingPolicies, validatingPolicies } from './policies/admission-policies.js';
import { nodeRestriction } from './node-restriction.js';
import { bindingEscalation, roleEscalation } from './role-escalation.js';
import { mutatingWebhooks } from './webhooks/mutating-webhooks.js';
import { validatingWebhooks } from './webhooks/validating-webhooks.js';

/** Returns all admission plugins of a server, including the checks, policies and webhooks that use the authorizer. */
export function admissionPlugins(authorizer: Authorizer): AdmissionPlugins {
  return {
    admission: [...builtInChecks, nodeRestriction, roleEscalation(authorizer), bindingEscalation(authorizer)],
    mutators: [mutatingPolicies(authorizer), mutatingWebhooks(authorizer)],
    lastChecks: [createPermission(authorizer), ...lastChecks],
    validators: [validatingPolicies(authorizer), validatingWebhooks(authorizer)],
    charges,
  };
}
