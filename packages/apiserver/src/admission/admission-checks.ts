import type { Authorizer } from '../authorization/authorizer.js';
import type { AdmissionCheck } from '../registry/admission-check.js';
import { builtInChecks } from './built-in-checks.js';
import { createPermission } from './create-permission.js';
import { bindingEscalation, roleEscalation } from './role-escalation.js';

/** All checks of a server that knows who may do what, in order. */
export function admissionChecks(authorizer: Authorizer): readonly AdmissionCheck[] {
  return [...builtInChecks, roleEscalation(authorizer), bindingEscalation(authorizer), createPermission(authorizer)];
}
