import { KubewrightError } from '@kubewright/api/errors';
import type { Activity } from './activity.js';

/** How long things may take to come to rest, of the real time. */
const PATIENCE_MS = 30_000;

export interface Settling {
  readonly activity: Activity;
  /** What is left to do, by name. */
  readonly left: () => Promise<readonly string[]>;
  /** Makes those who are behind tell how far they are. */
  readonly prod: () => void;
}

/** Resolves when nothing is left to do. Waits for things to happen, not for time; throws NOT_SETTLED when that takes too long. */
export async function settle({ activity, left, prod }: Settling): Promise<void> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  patience.addEventListener('abort', activity.wake, { once: true });
  for (;;) {
    const seen = activity.count;
    prod();
    await turn();
    const remaining = await left();
    if (patience.aborted) throw notSettled(remaining);
    if (remaining.length > 0) {
      await activity.since(seen);
    } else {
      await turn();
      if (activity.count === seen) return;
    }
  }
}

/** Lets everything run that is ready to. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function notSettled(remaining: readonly string[]): KubewrightError {
  return new KubewrightError(
    'NOT_SETTLED',
    `wait until everything is settled: after ${PATIENCE_MS / 1000} s there is still something to do: ${remaining.join(', ') || 'it goes on and on'}`,
  );
}
