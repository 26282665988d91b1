import type { Steps } from '@kubewright/api/apply';

/** Steps run without a break for this time, so nearly all requests take a single turn of the event loop. */
const mostMs = 10;

/**
 * Runs steps. After every 10 ms of work, the server serves other requests before the next step or before the caller continues, also if a step
 * throws. The server also serves other requests while a step waits for another thread.
 */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  let beginMs = performance.now();
  const isDue = (): boolean => performance.now() - beginMs >= mostMs;
  try {
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      if (value !== undefined) await value();
      else if (isDue()) await nextTurn();
      else continue;
      beginMs = performance.now();
    }
  } finally {
    if (isDue()) await nextTurn();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
