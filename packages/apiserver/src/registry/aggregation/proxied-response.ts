import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebhookCallError } from '../webhooks/webhook-call-error.js';

/** The response of the target of a proxy. */
export interface ProxiedResponse {
  readonly response: IncomingMessage;
  /** The connection to the target, if the target has changed the protocol of the connection. */
  readonly socket?: Duplex;
}

/**
 * Returns the response to a request when its headers have arrived. Rejects if the target does not answer, or changes the protocol of the
 * connection although the request does not have the header `Upgrade`.
 */
export function proxiedResponse(call: ClientRequest): Promise<ProxiedResponse> {
  return new Promise((resolve, reject) => {
    call.on('error', reject);
    call.once('response', (response) => resolve({ response }));
    call.once('upgrade', (response, socket, head) => {
      // Node.js removes its listener. Without a listener, an error before the first read would end the process.
      socket.on('error', () => undefined);
      if (call.getHeader('upgrade') === undefined) {
        socket.destroy();
        const protocol = JSON.stringify(response.headers.upgrade ?? '');
        return reject(new WebhookCallError(`backend tried to switch protocol ${protocol} when "" was requested`));
      }
      // The socket keeps the received bytes until the other side reads them.
      if (head.length > 0) socket.unshift(head);
      return resolve({ response, socket });
    });
  });
}
