import { listenToSignals } from './listen-to-signals.js';

/** What the work comes to, unless one of the signals is aborted before: then rejects with its reason, and the work goes on unheard. */
export function abortable<T>(work: Promise<T>, ...given: readonly (AbortSignal | undefined)[]): Promise<T> {
  const signals = given.filter((signal) => signal !== undefined);
  if (signals.length === 0) return work;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signals.find(({ aborted }) => aborted)?.reason);
    const leave = listenToSignals(signals, onAbort);
    if (signals.some(({ aborted }) => aborted)) onAbort();
    work.then(resolve, reject).finally(leave);
  });
}
