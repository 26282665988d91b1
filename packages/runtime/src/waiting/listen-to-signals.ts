import { setMaxListeners } from 'node:events';

/**
 * Calls `onAbort` when one of the signals is aborted. Returns a function that removes the listeners. Turns off the warning of Node.js about
 * too many listeners, because each pending request adds a listener.
 * @param signals must not be empty, because the warning would then be turned off for the whole process
 */
export function listenToSignals(signals: readonly AbortSignal[], onAbort: () => void): () => void {
  setMaxListeners(0, ...signals);
  for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
  return () => {
    for (const signal of signals) signal.removeEventListener('abort', onAbort);
  };
}
