import type { Clock, Random } from '@kubewright/api/clock';
import type { Store } from '../../storage/store.js';
import { type WebhookAddress, type WebhookClientConfig, webhookAddress } from './client-config.js';
import { followRedirects } from './follow-redirects.js';
import type { HttpRequest } from './open-answer.js';
import { parseAnswer, readBody } from './read-answer.js';
import { type Endpoint, serviceEndpoint } from './service-endpoint.js';
import { trustedAuthorities } from './trusted-authorities.js';
import type { WebhookAgent, WebhookAgentOptions } from './webhook-agent.js';
import { WebhookAgents } from './webhook-agents.js';
import { WebhookCallError } from './webhook-call-error.js';

/** One call of a webhook. */
export interface WebhookCall {
  readonly clientConfig: WebhookClientConfig;
  /** The review, as a JSON text. */
  readonly body: string | Uint8Array;
  /** The maximum duration of the call in milliseconds, including the time for the connection. */
  readonly timeoutMs: number;
  /** Cancels the call. @default the call is not canceled */
  readonly signal?: AbortSignal;
}

/** The maximum number of repeated requests after responses with a Retry-After header. */
const mostRetries = 10;

/**
 * Calls webhooks over HTTPS, for admission and for conversion. Connections are reused.
 *
 * - The certificate of the webhook must be valid for the host of the URL, or for `NAME.NAMESPACE.svc` of the Service.
 * - If the webhook answers with status 429 or 5xx and a Retry-After header, the client repeats the request up to 10 times.
 * - As in a kube-apiserver, the client follows up to 10 redirects to HTTPS URLs.
 *
 * @example
 * const answer = await client.call({ clientConfig, body: JSON.stringify(review), timeoutMs: 10_000 });
 */
export class WebhookClient implements AsyncDisposable {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #agents = new WebhookAgents();
  readonly #calls = new Set<AbortController>();
  #isClosed = false;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The source of the uids of reviews. */
  get random(): Random {
    return this.#clock.random;
  }

  /**
   * Sends the body in a POST request, and returns the object in the response, which can be JSON or YAML. Rejects with a WebhookCallError
   * with the text of kube-apiserver if the call fails, times out or is canceled. Also rejects if the webhook returns an error status or a
   * response that is not an object.
   */
  async call({ clientConfig, body, timeoutMs, signal }: WebhookCall): Promise<unknown> {
    const address = addressOf(clientConfig);
    const agent = this.#agentFor(clientConfig, address);
    const call = new AbortController();
    const end = (why: string): void => call.abort(new WebhookCallError(why));
    const cancel = (): void => end('context canceled');
    const timer = this.#clock.schedule(timeoutMs, () => end('context deadline exceeded'));
    signal?.addEventListener('abort', cancel, { once: true });
    this.#calls.add(call);
    try {
      if (signal?.aborted === true || this.#isClosed) cancel();
      const shownUrl = `${address.origin}${address.path}?timeout=${Math.ceil(timeoutMs / 1000)}s`;
      const url = new URL(shownUrl);
      return await this.#post({ method: 'POST', url, shownUrl, agent, body, signal: call.signal });
    } finally {
      timer.cancel();
      signal?.removeEventListener('abort', cancel);
      this.#calls.delete(call);
    }
  }

  /** Cancels the calls, and closes the connections. Later calls fail. */
  close(): void {
    this.#isClosed = true;
    for (const call of this.#calls) call.abort(new WebhookCallError('context canceled'));
    this.#agents.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  /**
   * Repeats the request while the webhook answers with status 429 or 5xx and a Retry-After header in seconds, up to 10 times. Returns the
   * value of the last response.
   */
  async #post(request: HttpRequest): Promise<unknown> {
    for (let retries = 0; ; retries += 1) {
      const answer = await followRedirects(request);
      const body = await readBody(answer, request.signal);
      const { statusCode: status = 0, headers } = answer;
      const seconds = /^\d+$/.exec(headers['retry-after'] ?? '')?.[0];
      const isTemporary = status === 429 || status >= 500;
      if (!isTemporary || seconds === undefined || retries === mostRetries) return parseAnswer(answer, body);
      await this.#clock.sleep(`${Number(seconds)}s`, request.signal);
    }
  }

  #agentFor(clientConfig: WebhookClientConfig, { serverName }: WebhookAddress): WebhookAgent {
    const { service, caBundle, url } = clientConfig;
    const key = JSON.stringify([service, caBundle, url]);
    return this.#agents.agent(key, () => this.#optionsOf(clientConfig, serverName));
  }

  #optionsOf({ service, caBundle }: WebhookClientConfig, serverName: string): WebhookAgentOptions {
    const endpoint = (host: string): Endpoint | undefined =>
      service !== undefined && host === serverName
        ? serviceEndpoint(this.#store, service, this.random.number)
        : undefined;
    const authorities = caBundle ? trustedAuthorities(caBundle) : undefined;
    return { clock: this.#clock, authorities, endpoint };
  }
}

function addressOf(clientConfig: WebhookClientConfig): WebhookAddress {
  const address = webhookAddress(clientConfig);
  if (address === undefined) throw new WebhookCallError('webhook configuration must have either service or URL');
  return address;
}
