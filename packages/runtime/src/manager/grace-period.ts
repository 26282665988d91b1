import type { Clock } from '@kubewright/api/clock';

/**
 * Resolves with whether the work ended within the limit. An undefined limit waits without a time limit; 0 does not wait. A rejection of the
 * work counts as an end.
 */
export function endsWithin(work: Promise<unknown>, clock: Clock, limitMs: number | undefined): Promise<boolean> {
  if (limitMs === 0) return Promise.resolve(false);
  return new Promise((resolve) => {
    const timer = limitMs === undefined ? undefined : clock.schedule(limitMs, () => resolve(false));
    const ended = (): void => {
      timer?.cancel();
      resolve(true);
    };
    work.then(ended, ended);
  });
}
