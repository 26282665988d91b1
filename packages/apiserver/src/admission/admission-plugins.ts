import type { Authorizer } from '../authorization/authorizer.js';
import type { AdmissionPlugins } from '../registry/admission/admission.js';
import { builtInChecks, charges, lastChecks } from './built-in-checks.js';
import { createPermission } from './create-permission.js';
import { bindingEscalation, roleEscalation } from './role-escalation.js';

/** Returns all admission plugins of a server, including the checks that call the authorizer. */
export function admissionPlugins(authorizer: Authorizer): AdmissionPlugins {
  return {
    admission: [...builtInChecks, roleEscalation(authorizer), bindingEscalation(authorizer)],
    lastChecks: [createPermission(authorizer), ...lastChecks],
    charges,
  };
}
