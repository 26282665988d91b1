import { createRequire } from 'node:module';
import type { Authorizer } from '../authorization/authorizer.js';
import type { AdmissionPlugins } from '../registry/admission/admission.js';
import type { AdmissionCheck } from '../registry/admission/admission-check.js';
import { nodeNameOf } from '../registry/requests/user.js';
import { builtInChecks, charges, lastChecks } from './built-in-checks.js';
import { createPermission } from './create-permission.js';
import { mutatingPolicies, validatingPolicies } from './policies/admission-policies.js';
import { bindingEscalation, roleEscalation } from './role-escalation.js';
import { mutatingWebhooks } from './webhooks/mutating-webhooks.js';
import { validatingWebhooks } from './webhooks/validating-webhooks.js';

const load = createRequire(import.meta.url);

/** Returns the check of the writes of kubelets. Most servers have no kubelets, so the check is loaded on demand. */
function restrictNodes(authorizer: Authorizer): AdmissionCheck {
  return (request) => {
    if (nodeNameOf(request.context.user) === undefined) return;
    const { nodeRestriction } = load('./node-restriction.js') as typeof import('./node-restriction.js');
    nodeRestriction(authorizer)(request);
  };
}

/** Returns the check of requests for certificates. Most servers have no such requests, so the check is loaded on demand. */
function restrictSigners(authorizer: Authorizer): AdmissionCheck {
  return (request) => {
    if (request.definition.group !== 'certificates.k8s.io') return;
    const { signerPermissions } = load('./signer-permissions.js') as typeof import('./signer-permissions.js');
    signerPermissions(authorizer, request);
  };
}

/** Returns all admission plugins of a server, including the checks, policies and webhooks that use the authorizer. */
export function admissionPlugins(authorizer: Authorizer): AdmissionPlugins {
  const nodes = restrictNodes(authorizer);
  return {
    subresourceChecks: [nodes],
    admission: [...builtInChecks, nodes, roleEscalation(authorizer), bindingEscalation(authorizer)],
    mutators: [mutatingPolicies(authorizer), mutatingWebhooks(authorizer)],
    lastChecks: [createPermission(authorizer), ...lastChecks, restrictSigners(authorizer)],
    validators: [validatingPolicies(authorizer), validatingWebhooks(authorizer)],
    charges,
  };
}
