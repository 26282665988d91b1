import type { AbortSource } from './abort-source.js';
import { listenToSignals } from './listen-to-signals.js';

/**
 * Returns the result of `work`. If one of the signals is aborted first, rejects with the reason of that signal. `work` then continues, and
 * its result is ignored.
 */
export function abortable<T>(work: Promise<T>, ...given: readonly (AbortSource | undefined)[]): Promise<T> {
  const signals = given.filter((signal) => signal !== undefined);
  if (signals.length === 0) return work;
  return new Promise((resolve, reject) => {
    const fail = (reason: unknown): void => {
      leave();
      reject(reason);
    };
    const onAbort = (): void => fail(signals.find(({ aborted }) => aborted)?.reason);
    const leave = listenToSignals(signals, onAbort);
    if (signals.some(({ aborted }) => aborted)) onAbort();
    work.then((result) => {
      leave();
      resolve(result);
    }, fail);
  });
}
