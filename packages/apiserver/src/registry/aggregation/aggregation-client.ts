import type { OutgoingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import type { Clock } from '@kubewright/api/clock';
import type { Store } from '../../storage/store.js';
import type { ApiObject } from '../objects/api-object.js';
import { stringAt, valueAt } from '../objects/json-object.js';
import { dialFault } from '../webhooks/connection-fault.js';
import { serviceEndpoint } from '../webhooks/service-endpoint.js';
import { trustedAuthorities } from '../webhooks/trusted-authorities.js';
import type { WebhookAgent } from '../webhooks/webhook-agent.js';
import { WebhookAgents } from '../webhooks/webhook-agents.js';
import { WebhookCallError } from '../webhooks/webhook-call-error.js';
import { type AggregatedService, aggregatedService } from './aggregated-service.js';
import { frontProxy } from './front-proxy.js';
import { type ProxiedResponse, proxiedResponse } from './proxied-response.js';

/** A request to an aggregated API server. */
export interface AggregatedRequest {
  readonly method: string;
  /** The path and the query. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
}

/**
 * Sends requests to aggregated API servers over HTTPS, with the client certificate of the front proxy. Connects to a ready endpoint of the
 * Service. The certificate of the server must be valid for `NAME.NAMESPACE.svc`, unless the APIService has `insecureSkipTLSVerify`.
 */
export class AggregationClient {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #agents = new WebhookAgents();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Returns the response when its headers have arrived. If the server closes a reused connection before it answers a read, repeats the
   * request once. Rejects with a WebhookCallError if the server does not answer.
   */
  async open(apiService: ApiObject, sent: AggregatedRequest, isRepeated = false): Promise<ProxiedResponse> {
    const service = aggregatedService(apiService);
    if (service === undefined) throw new WebhookCallError(`the server implements ${apiService.metadata.name} itself`);
    const { body, ...options } = sent;
    const host = `${service.name}.${service.namespace}.svc`;
    const agent = this.#agentFor(apiService, service);
    const call = request({ ...options, host, port: service.port, agent, servername: host });
    call.end(body);
    try {
      return await proxiedResponse(call);
    } catch (error) {
      if (error instanceof WebhookCallError) throw error;
      const isClosed = call.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (isClosed && !isRepeated && sent.method === 'GET') return this.open(apiService, sent, true);
      throw new WebhookCallError(dialFault(error as Error, host), { cause: error });
    }
  }

  /** Closes all connections. */
  close(): void {
    this.#agents.close();
  }

  #agentFor(apiService: ApiObject, service: AggregatedService): WebhookAgent {
    const caBundle = stringAt(apiService, 'spec', 'caBundle');
    const isVerified = valueAt(apiService, 'spec', 'insecureSkipTLSVerify') !== true;
    return this.#agents.agent(JSON.stringify([service, caBundle, isVerified]), () => ({
      clock: this.#clock,
      authorities: caBundle === '' ? undefined : trustedAuthorities(caBundle),
      identity: frontProxy(),
      endpoint: () => serviceEndpoint(this.#store, service, this.#clock.random.number),
      isVerified,
    }));
  }
}
