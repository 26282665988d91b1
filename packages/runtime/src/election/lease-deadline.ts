import { KubewrightError } from '@kubewright/api/errors';
import { type Deadline, withinDeadline } from '../transport/deadline.js';

/** What the work on a Lease comes to; rejects with LEASE_TIMEOUT when its time is over, and with the reason of the signal. */
export function withinLeaseDeadline<T>(
  deadline: Omit<Deadline, 'tooLate'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const tooLate = (): KubewrightError =>
    new KubewrightError('LEASE_TIMEOUT', `no answer about the lease within ${Math.ceil(deadline.ms)} ms`);
  return withinDeadline({ ...deadline, tooLate }, work);
}
