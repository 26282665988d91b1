import { setMaxListeners } from 'node:events';

/**
 * Calls `onAbort` when one of the signals is aborted. The returned function removes the listeners. Disables the limit of listeners, because
 * each pending request adds one, and Node.js would report a leak.
 * @param signals at least one
 */
export function listenToSignals(signals: readonly AbortSignal[], onAbort: () => void): () => void {
  setMaxListeners(0, ...signals);
  for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
  return () => {
    for (const signal of signals) signal.removeEventListener('abort', onAbort);
  };
}
