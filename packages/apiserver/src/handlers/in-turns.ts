import { type Steps, withBreak } from '@kubewright/api/apply';

/** Steps run on without a break for this long, so that nearly all requests take a single turn of the event loop. */
const mostMs = 10;

/** Carries out steps. After each 10 ms of work, other requests are served before the next step, or before the caller goes on. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  let beginMs = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (performance.now() - beginMs >= mostMs) {
      await new Promise((resolve) => setImmediate(resolve));
      beginMs = performance.now();
    }
    if (done === true) return value;
  }
}

/** Does work that has no steps. If it took more than 10 ms, other requests are served before the caller goes on. */
export function inOneTurn<T>(act: () => T): Promise<T> {
  return inTurns(withBreak(act)(undefined));
}
