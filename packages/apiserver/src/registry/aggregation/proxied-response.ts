import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** The response of the target of a proxy. */
export interface ProxiedResponse {
  readonly response: IncomingMessage;
  /** The connection to the target, if the target has changed the protocol of the connection. */
  readonly socket?: Duplex;
}

/** Returns the response to a request when its headers have arrived. Rejects if the target does not answer. */
export function proxiedResponse(call: ClientRequest): Promise<ProxiedResponse> {
  return new Promise((resolve, reject) => {
    call.on('error', reject);
    call.once('response', (response) => resolve({ response }));
    call.once('upgrade', (response, socket, head) => {
      // Node.js removes its listener. Without a listener, an error before the first read would end the process.
      socket.on('error', () => undefined);
      // The socket keeps the received bytes until the other side reads them.
      if (head.length > 0) socket.unshift(head);
      resolve({ response, socket });
    });
  });
}
