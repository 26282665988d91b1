import { KubewrightError } from '@kubewright/api/errors';
import { type Deadline, withinDeadline } from '../waiting/deadline.js';

/**
 * Calls `work` and resolves with its result. Rejects with LEASE_TIMEOUT when the deadline has passed, and with the reason of the signal.
 */
export function withinLeaseDeadline<T>(
  deadline: Omit<Deadline, 'tooLate'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const tooLate = (): KubewrightError =>
    new KubewrightError('LEASE_TIMEOUT', `no response for the lease within ${Math.ceil(deadline.ms)} ms`);
  return withinDeadline({ ...deadline, tooLate }, work);
}
