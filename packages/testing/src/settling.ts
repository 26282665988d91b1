import { KubewrightError } from '@kubewright/api/errors';
import type { Activity } from './activity.js';
import { processTimeMs } from './process-time.js';

/** The time limit in milliseconds, measured with `processTimeMs`, so that the load of the machine does not change the result. */
const TIME_LIMIT_MS = 30_000;
/** The interval in milliseconds between two checks of the time limit while the environment waits for activity. */
const CHECK_MS = 500;

export interface Settling {
  readonly activity: Activity;
  /** Returns the names of the pending work. */
  readonly left: () => Promise<readonly string[]>;
  /** Prompts readers that are behind to report their progress. */
  readonly prod: () => void;
}

/**
 * Resolves when there is no pending work. Waits for activity, not for time. Throws NOT_SETTLED after 30 s in which the process waited or
 * computed.
 */
export async function settle({ activity, left, prod }: Settling): Promise<void> {
  const endMs = processTimeMs() + TIME_LIMIT_MS;
  const check = setInterval(activity.wake, CHECK_MS);
  try {
    for (;;) {
      const seen = activity.count;
      prod();
      await turn();
      const remaining = await left();
      if (processTimeMs() >= endMs) throw notSettled(remaining);
      if (remaining.length > 0) {
        await activity.since(seen);
      } else {
        await turn();
        if (activity.count === seen) return;
      }
    }
  } finally {
    clearInterval(check);
  }
}

/** Yields to the event loop, so that ready callbacks run. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function notSettled(remaining: readonly string[]): KubewrightError {
  return new KubewrightError(
    'NOT_SETTLED',
    `the test environment has not settled after ${TIME_LIMIT_MS / 1000} s; pending work: ${remaining.join(', ') || 'none, but new activity does not stop'}`,
  );
}
