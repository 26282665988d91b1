import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { requestFault } from './connection-fault.js';
import type { WebhookAgent } from './webhook-agent.js';
import { WebhookCallError } from './webhook-call-error.js';

/** One HTTP request to a webhook. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** The URL as errors show it. The URL class drops a default port. */
  readonly shownUrl: string;
  readonly agent: WebhookAgent;
  /** The JSON text of a POST request. */
  readonly body: string | Uint8Array | undefined;
  /** Cancels the request. The reason is a WebhookCallError. */
  readonly signal: AbortSignal;
}

/**
 * Sends a request, and returns the response when its headers have arrived. If the webhook closes a reused connection before the response,
 * repeats the request once. Rejects with a WebhookCallError that contains Go's error text.
 */
export async function openAnswer(sent: HttpRequest, isRepeated = false): Promise<IncomingMessage> {
  sent.signal.throwIfAborted();
  let isReused = false;
  try {
    return await new Promise<IncomingMessage>((resolve, reject) => {
      const { method, url, agent, body, signal } = sent;
      const call = request(url, { method, agent, signal, headers: headersFor(body) });
      call.on('response', resolve);
      call.on('error', (error: NodeJS.ErrnoException) => {
        isReused = call.reusedSocket && error.code === 'ECONNRESET';
        reject(error);
      });
      call.end(body);
    });
  } catch (error) {
    if (sent.signal.aborted) throw sent.signal.reason;
    if (isReused && !isRepeated) return openAnswer(sent, true);
    if (error instanceof WebhookCallError) throw error;
    throw new WebhookCallError(requestFault(error as Error), { cause: error });
  }
}

function headersFor(body: string | Uint8Array | undefined): Record<string, string | number> {
  const headers = {
    accept: 'application/json, */*',
    'accept-encoding': 'gzip',
    'user-agent': 'kube-apiserver-admission',
  };
  if (body === undefined) return headers;
  return { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
}
