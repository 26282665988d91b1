import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { Clock } from '@kubewright/api/clock';
import type { Store } from '../../storage/store.js';
import type { ApiObject } from '../objects/api-object.js';
import { numberAt, objectAt, stringAt, valueAt } from '../objects/json-object.js';
import { dialFault } from '../webhooks/connection-fault.js';
import { serviceEndpoint } from '../webhooks/service-endpoint.js';
import { trustedAuthorities } from '../webhooks/trusted-authorities.js';
import { WebhookAgent } from '../webhooks/webhook-agent.js';
import { WebhookCallError } from '../webhooks/webhook-call-error.js';

/** The Service behind an APIService. */
export interface AggregatedService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** A request to an aggregated API server. */
export interface AggregatedRequest {
  readonly method: string;
  /** The path and the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
}

const defaultPort = 443;

/** Returns the Service of an APIService, or undefined for an APIService that the server itself implements. */
export function aggregatedService(apiService: ApiObject): AggregatedService | undefined {
  if (valueAt(apiService, 'spec', 'service') === undefined) return undefined;
  const service = objectAt(apiService, 'spec', 'service');
  const { namespace, name } = { namespace: stringAt(service, 'namespace'), name: stringAt(service, 'name') };
  return { namespace, name, port: numberAt(service, 'port') ?? defaultPort };
}

/**
 * Sends requests to aggregated API servers over HTTPS. Connects to a ready endpoint of the Service. The certificate must be valid for
 * `NAME.NAMESPACE.svc`, unless the APIService has `insecureSkipTLSVerify`.
 */
export class AggregationClient {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #agents = new Map<string, WebhookAgent>();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Returns the response when its headers have arrived. Rejects with a WebhookCallError if the server does not answer. */
  async open(apiService: ApiObject, { path, body, ...options }: AggregatedRequest): Promise<IncomingMessage> {
    const service = aggregatedService(apiService);
    if (service === undefined) throw new WebhookCallError(`the server implements ${apiService.metadata.name} itself`);
    const host = `${service.name}.${service.namespace}.svc`;
    const agent = this.#agentFor(apiService, service);
    return new Promise((resolve, reject) => {
      const call = request({ ...options, host, port: service.port, path, agent, servername: host });
      call.on('response', resolve);
      call.on('error', (error) =>
        reject(
          error instanceof WebhookCallError ? error : new WebhookCallError(dialFault(error, host), { cause: error }),
        ),
      );
      call.end(body);
    });
  }

  /** Closes all connections. */
  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  /** Returns the agent of an APIService. Creates another agent if the configuration of the APIService changes. */
  #agentFor({ metadata, spec }: ApiObject & { readonly spec?: unknown }, service: AggregatedService): WebhookAgent {
    const caBundle = stringAt(spec, 'caBundle');
    const key = JSON.stringify([metadata.uid, service, caBundle, valueAt(spec, 'insecureSkipTLSVerify')]);
    const known = this.#agents.get(key);
    if (known !== undefined) return known;
    for (const [other, agent] of this.#agents) {
      if (!other.startsWith(`["${metadata.uid}"`)) continue;
      agent.retire();
      this.#agents.delete(other);
    }
    const agent = new WebhookAgent({
      clock: this.#clock,
      authorities: caBundle === '' ? undefined : trustedAuthorities(caBundle),
      endpoint: () => serviceEndpoint(this.#store, service, this.#clock.random.number),
      isVerified: valueAt(spec, 'insecureSkipTLSVerify') !== true,
    });
    this.#agents.set(key, agent);
    return agent;
  }
}
