import type { ServerResponse } from 'node:http';

/**
 * Returns a function that returns the signal of a response. The signal is aborted when the connection or the response ends. The first call
 * creates the signal, because most handlers do not use it.
 */
export function signalOf(response: ServerResponse): () => AbortSignal {
  let signal: AbortSignal | undefined;
  return () => (signal ??= newSignal(response));
}
function newSignal(response: ServerResponse): AbortSignal {
  const aborting = new AbortController();
  if (response.closed) aborting.abort();
  else response.once('close', () => aborting.abort());
  return aborting.signal;
}
