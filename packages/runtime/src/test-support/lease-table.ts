import type { Lease, LeaseSpec } from '@kubewright/api/coordination/v1';
import type { ElectionTransport } from '../election/served-lease-lock.js';
import type { RequestOptions } from '../transport/request/request-options.js';
import { refusal } from './object-table.js';

/** An API server that stores a single Lease, for tests of leader election. */
export class LeaseTable implements ElectionTransport {
  /** The methods of the received requests, such as 'GET', 'POST' and 'PUT'. */
  readonly requests: string[] = [];
  /** The stored Lease. */
  lease: Lease | undefined;
  /** Called before a request is executed. If the function throws or rejects, the request fails with this error. */
  before: (request: RequestOptions) => void | Promise<void> = () => undefined;
  /** Called after a request was executed and before the response is sent. */
  after: (request: RequestOptions) => void | Promise<void> = () => undefined;
  #version = 0;

  async request<T>(options: RequestOptions): Promise<T> {
    this.requests.push(options.method);
    options.signal?.throwIfAborted();
    await this.before(options);
    const answer = this.#carryOut(options);
    await this.after(options);
    options.signal?.throwIfAborted();
    return structuredClone(answer) as T;
  }

  /** Writes the spec of the Lease as another client would. */
  write(spec: LeaseSpec, labels?: Readonly<Record<string, string>>): Lease {
    const metadata = {
      name: 'leader',
      namespace: 'apps',
      uid: 'uid',
      creationTimestamp: '',
      ...(labels && { labels }),
    };
    return this.#store({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec } as Lease);
  }

  #carryOut({ method, body }: RequestOptions): Lease {
    if (method === 'POST') {
      if (this.lease !== undefined) throw refusal(409, 'AlreadyExists');
      return this.#store(body as Lease);
    }
    if (this.lease === undefined) throw refusal(404, 'NotFound');
    if (method === 'GET') return this.lease;
    const given = body as Lease;
    if (given.metadata.resourceVersion !== this.lease.metadata.resourceVersion) throw refusal(409, 'Conflict');
    return this.#store(given);
  }
  #store(lease: Lease): Lease {
    const resourceVersion = String(++this.#version);
    this.lease = structuredClone({ ...lease, metadata: { ...lease.metadata, resourceVersion } });
    return this.lease;
  }
}
