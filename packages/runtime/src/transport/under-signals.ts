import { listenToSignals } from './listen-to-signals.js';

/**
 * Does a piece of work under a signal that is aborted with the first of several, by its reason. They are listened to while the work
 * lasts and no longer, whereas each remembers what `AbortSignal.any` makes of it for as long as it lives itself.
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
