import type { Clock } from '@kubewright/api/clock';

/**
 * Whether the work ended within the time. Undefined waits for ever; 0 does not wait at all. What the work comes to is for others to see.
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
