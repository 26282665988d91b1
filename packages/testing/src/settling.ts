import { KubewrightError } from '@kubewright/api/errors';
import type { Activity } from './activity.js';

/** The time limit in real time. */
const PATIENCE_MS = 30_000;

export interface Settling {
  readonly activity: Activity;
  /** Returns the names of the pending work. */
  readonly left: () => Promise<readonly string[]>;
  /** Prompts readers that are behind to report their progress. */
  readonly prod: () => void;
}

/** Resolves when there is no pending work. Waits for activity, not for time. Throws NOT_SETTLED after 30 s. */
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

/** Yields to the event loop, so that ready callbacks run. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function notSettled(remaining: readonly string[]): KubewrightError {
  return new KubewrightError(
    'NOT_SETTLED',
    `wait until everything is settled: after ${PATIENCE_MS / 1000} s there is still something to do: ${remaining.join(', ') || 'it goes on and on'}`,
  );
}
