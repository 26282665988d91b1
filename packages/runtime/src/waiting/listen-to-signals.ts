import { type AbortSource, allowListeners } from './abort-source.js';

/**
 * Calls `onAbort` when one of the signals is aborted, but not for a signal that is already aborted. Returns a function that removes the
 * listeners. Turns off the warning of Node.js about too many listeners, because each pending request adds a listener.
 */
export function listenToSignals(signals: readonly AbortSource[], onAbort: () => void): () => void {
  for (const signal of signals) {
    allowListeners(signal);
    signal.addEventListener('abort', onAbort, { once: true });
  }
  return () => {
    for (const signal of signals) signal.removeEventListener('abort', onAbort);
  };
}
