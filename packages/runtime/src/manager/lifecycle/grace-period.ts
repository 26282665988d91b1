import type { Clock } from '@kubewright/api/clock';

/**
 * Resolves to true if the work ended within the limit, and otherwise to false at the limit. An undefined limit waits until the work ends;
 * with a limit of 0, resolves to false at once. A rejection of the work counts as an end.
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
