import type { Steps } from '@kubewright/api/apply';
import { failure } from '../requests/status-errors.js';

/**
 * Starts asynchronous work, such as the call of a webhook, and returns its result when the next step runs. Rethrows the error of the work
 * in the steps, so that the callers of the steps can handle the error. Throws a 500 error if the caller of the steps, such as `finish`,
 * ignores waits. Such callers must set `unreviewed` in the context of their writes, so that no webhook reviews the write.
 */
export function* waitFor<T>(start: () => Promise<T>): Steps<T> {
  let settled: PromiseSettledResult<T> | undefined;
  yield async () => {
    [settled] = await Promise.allSettled([start()]);
  };
  if (settled === undefined) throw failure(500, '', { message: 'this work of the server cannot wait for a webhook' });
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
