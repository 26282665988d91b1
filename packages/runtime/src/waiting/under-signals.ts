import { listenToSignals } from './listen-to-signals.js';

/**
 * Calls `work` with a signal that is aborted if one of several signals is aborted, with the same reason. Removes the listeners when the
 * work ends. `AbortSignal.any` is not used, because a signal keeps a reference to every result of `AbortSignal.any`. Passes a single signal
 * to `work` unchanged, and undefined if `signals` is empty.
 */
export async function underSignals<R>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal | undefined) => Promise<R>,
): Promise<R> {
  const [first, ...others] = signals;
  if (others.length === 0) return work(first);
  const joined = new AbortController();
  const onAbort = (): void => joined.abort(signals.find(({ aborted }) => aborted)?.reason);
  if (signals.some(({ aborted }) => aborted)) onAbort();
  const leave = listenToSignals(signals, onAbort);
  try {
    return await work(joined.signal);
  } finally {
    leave();
  }
}
