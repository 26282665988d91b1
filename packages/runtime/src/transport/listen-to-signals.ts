import { setMaxListeners } from 'node:events';

/**
 * Calls `onAbort` when one of the signals is aborted, until what it gives is called. As many listen to a signal as requests are under way,
 * which Node.js would take for a leak.
 * @param signals at least one
 */
export function listenToSignals(signals: readonly AbortSignal[], onAbort: () => void): () => void {
  setMaxListeners(0, ...signals);
  for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
  return () => {
    for (const signal of signals) signal.removeEventListener('abort', onAbort);
  };
}
