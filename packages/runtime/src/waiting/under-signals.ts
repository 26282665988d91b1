import type { AbortSource } from './abort-source.js';
import { listenToSignals } from './listen-to-signals.js';

/**
 * Calls `work` with a combined signal, and returns the result of `work`. If one of `signals` is aborted, the combined signal is aborted
 * with the same reason. Removes the listeners when the work ends. `AbortSignal.any` is not used, because a signal keeps a reference to
 * every result of `AbortSignal.any`. If `signals` contains a single signal, passes this signal to `work` unchanged. If `signals` is empty,
 * passes undefined.
 */
export function underSignals<R, S extends AbortSource = AbortSignal>(
  signals: readonly S[],
  work: (signal: S | AbortSignal | undefined) => Promise<R>,
): Promise<R> {
  return signals.length > 1 ? underJoined(signals, work) : work(signals[0]);
}

/** Same as `underSignals`, but always passes a combined signal to `work`. */
export async function underJoined<R>(
  signals: readonly AbortSource[],
  work: (signal: AbortSignal) => Promise<R>,
): Promise<R> {
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
