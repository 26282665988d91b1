import type { AdmissionCheck } from '../registry/admission/admission-check.js';
import { forbidden } from '../registry/requests/status-errors.js';
import { systemPriorities } from '../registry/strategies/scheduling/priority-class.js';

/** Throws 403 for the deletion of a system PriorityClass. */
export const systemPriorityProtection: AdmissionCheck = ({ operation, definition, key }) => {
  if (operation !== 'DELETE' || definition.storageBucket !== 'scheduling.k8s.io/priorityclasses') return;
  if (systemPriorities[key.name] === undefined) return;
  throw forbidden(definition, key.name, { why: 'this is a system priority class and cannot be deleted' });
};
