import { decodeManagedFields } from '@kubewright/api/apply';
import type { IncomingMeta } from '../objects/api-object.js';

/**
 * Restores the managedFields `before` if policies or webhooks have set invalid managedFields. Returns a warning in this case, and undefined
 * otherwise.
 */
export function restoreManagers(metadata: IncomingMeta, before: IncomingMeta['managedFields']): string | undefined {
  try {
    decodeManagedFields(metadata.managedFields);
    return undefined;
  } catch (error) {
    if (before === undefined) delete metadata.managedFields;
    else metadata.managedFields = before;
    const lead = '.metadata.managedFields was in an invalid state after admission';
    const cause = 'this could be caused by an outdated mutating admission controller; please fix your requests';
    return `${lead}; ${cause}: ${(error as Error).message}`;
  }
}
