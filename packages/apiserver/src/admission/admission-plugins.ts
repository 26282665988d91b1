import type { Authorizer } from '../authorization/authorizer.js';
import type { AdmissionCheck } from '../registry/admission-check.js';
import { builtInChecks, lastChecks } from './built-in-checks.js';
import { createPermission } from './create-permission.js';
import { bindingEscalation, roleEscalation } from './role-escalation.js';

/** The checks of a server that knows who may do what, by when they are made; each in order. */
export function admissionChecks(authorizer: Authorizer): {
  /** Before a write is validated. */
  readonly admission: readonly AdmissionCheck[];
  /** When it is valid. */
  readonly lastChecks: readonly AdmissionCheck[];
} {
  return {
    admission: [...builtInChecks, roleEscalation(authorizer), bindingEscalation(authorizer)],
    lastChecks: [createPermission(authorizer), ...lastChecks],
  };
}
