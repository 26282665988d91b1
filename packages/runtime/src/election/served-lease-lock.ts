import type { Lease } from '@kubewright/api/coordination/v1';
import { isNotFound, KubewrightError } from '@kubewright/api/errors';
import { objectAnswerOf } from '../transport/answer/object-answer.js';
import type { RequestOptions } from '../transport/request/request-options.js';
import { resourcePath } from '../transport/request/resource-path.js';
import type { LeaseLock } from './lease-lock.js';
import { type LeaseRecord, recordOf, specOf } from './lease-record.js';

const LEASES = {
  group: 'coordination.k8s.io',
  version: 'v1',
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
} as const;

/** Sends requests to the API server. `Transport` implements this interface. */
export interface ElectionTransport {
  request<T>(options: RequestOptions): Promise<T>;
}

/** The name, the namespace and the labels of a Lease. */
export interface ServedLeaseOptions {
  readonly name: string;
  readonly namespace: string;
  /** The labels that each write sets on the Lease. Other labels are kept. @default none */
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * Stores the leader record in a Lease of the API server. Uses the same fields of the Lease as client-go, so that client-go candidates can
 * take part in the same election.
 */
export class ServedLeaseLock implements LeaseLock {
  readonly name: string;
  readonly #transport: ElectionTransport;
  readonly #options: ServedLeaseOptions;
  readonly #attempted: string;
  /** The last Lease that was read or written. */
  #lease: Lease | undefined;

  constructor(transport: ElectionTransport, options: ServedLeaseOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#attempted = `lease ${options.namespace}/${options.name}`;
    this.name = `Lease ${options.namespace}/${options.name}`;
  }

  /** The last Lease that was read or written. Undefined if there is none. */
  get object(): Lease | undefined {
    return this.#lease;
  }

  async get(signal: AbortSignal): Promise<LeaseRecord | undefined> {
    try {
      const path = resourcePath(LEASES, this.#options);
      this.#lease = await this.#sent({ method: 'GET', path, signal, attempted: `get ${this.#attempted}` });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
    return recordOf(this.#lease.spec);
  }

  async create(record: LeaseRecord, signal: AbortSignal): Promise<void> {
    const { name, namespace, labels } = this.#options;
    this.#lease = await this.#sent({
      method: 'POST',
      path: resourcePath(LEASES, { namespace }),
      body: {
        apiVersion: LEASES.apiVersion,
        kind: LEASES.kind,
        metadata: { name, namespace, ...(labels && { labels }) },
        spec: specOf(record),
      },
      signal,
      attempted: `create ${this.#attempted}`,
    });
  }

  async update(record: LeaseRecord, signal: AbortSignal): Promise<void> {
    const lease = this.#lease;
    if (lease === undefined) {
      throw new KubewrightError(
        'INVALID_LEADER_ELECTION',
        `cannot update ${this.#attempted}: it was not read or created before`,
      );
    }
    const { labels } = this.#options;
    const metadata = labels ? { ...lease.metadata, labels: { ...lease.metadata.labels, ...labels } } : lease.metadata;
    this.#lease = await this.#sent({
      method: 'PUT',
      path: resourcePath(LEASES, this.#options),
      body: { ...lease, metadata, spec: specOf(record) },
      signal,
      attempted: `update ${this.#attempted}`,
    });
  }

  /** Sends a request, and resolves with the Lease in the response. Rejects with INVALID_RESPONSE if the response is not this Lease. */
  async #sent(request: RequestOptions & { readonly attempted: string }): Promise<Lease> {
    const { name, namespace } = this.#options;
    const answer = await this.#transport.request<unknown>(request);
    return objectAnswerOf(answer, { resource: LEASES, attempted: request.attempted, name, namespace }) as Lease;
  }
}
