import { decodeManagedFields } from '@kubewright/api/apply';
import type { IncomingMeta } from '../objects/api-object.js';

/**
 * Restores the managedFields of an object that policies or webhooks have changed, if its new managedFields are not valid. Returns the text
 * of a warning, or undefined.
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
