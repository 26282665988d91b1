import type { Steps } from '@kubewright/api/apply';

/** Steps run without a break for this time, so nearly all requests take a single turn of the event loop. */
const mostMs = 10;

/**
 * Runs steps. After every 10 ms of work, the server serves other requests before the next step or before the caller continues. The server
 * also serves other requests while a step waits for another thread.
 */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  let beginMs = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done !== true && value !== undefined) {
      await value();
      beginMs = performance.now();
      continue;
    }
    if (performance.now() - beginMs >= mostMs) {
      await new Promise((resolve) => setImmediate(resolve));
      beginMs = performance.now();
    }
    if (done === true) return value;
  }
}
