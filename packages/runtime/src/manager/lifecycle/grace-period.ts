import type { Clock } from '@kubewright/api/clock';

/**
 * Waits for the end of the work, but not longer than `limitMs` milliseconds. Resolves with true if the work has ended, even if the work
 * rejected. An undefined limit means no limit. A limit of 0 resolves with false immediately.
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
