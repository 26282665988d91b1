import { randomBytes } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { microTime } from '@kubewright/api/clock';
import { Lease } from '@kubewright/api/coordination/v1';
import { isNotFound } from '@kubewright/api/errors';
import type { KubeApi } from '../deploy/kube-api.js';
import { SESSION_LABEL, type SessionKey } from './session-objects.js';

/** The time in seconds after which a session counts as expired if its Lease is not renewed. */
export const LEASE_SECONDS = 60;
/** The namespace for Leases if the kubeconfig context has none. */
const DEFAULT_NAMESPACE = 'default';

/**
 * The Lease of a session. While the session renews the Lease, no other command removes the webhooks of the session. All times are times of
 * the API server, so that the clocks of the machines do not matter.
 */
export class SessionLease {
  readonly key: SessionKey;
  readonly name: string;
  readonly namespace: string;
  readonly #api: KubeApi;
  readonly #lease: Lease;

  private constructor(api: KubeApi, lease: Lease, id: string) {
    const { name, namespace = DEFAULT_NAMESPACE } = lease.metadata;
    this.#api = api;
    this.#lease = lease;
    this.name = name;
    this.namespace = namespace;
    this.key = { id, lease: `${namespace}/${name}` };
  }

  /** Creates a Lease with a random ID in the namespace of the kubeconfig context. `project` is the name of the project. */
  static async create(api: KubeApi, project: string): Promise<SessionLease> {
    const id = randomBytes(4).toString('hex');
    const namespace = api.connection.namespace ?? DEFAULT_NAMESPACE;
    const now = microTime(new Date(await api.serverTimeMs()));
    const spec = {
      holderIdentity: holderIdentity(),
      leaseDurationSeconds: LEASE_SECONDS,
      acquireTime: now,
      renewTime: now,
    };
    const metadata = { name: `${project}-dev-${id}`, namespace, labels: { [SESSION_LABEL]: id } };
    return new SessionLease(api, await api.client.create(new Lease({ metadata, spec })), id);
  }

  /** Renews the Lease. Returns false if the Lease had expired and another command has deleted it. */
  async renew(): Promise<boolean> {
    try {
      const renewTime = microTime(new Date(await this.#api.serverTimeMs()));
      await this.#api.client.patch(this.#lease, { merge: { spec: { renewTime } } });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }
  /** Deletes the Lease. Does nothing if the Lease does not exist. */
  async remove(): Promise<void> {
    await this.#api.client.delete(this.#lease);
  }
}

/** Reports whether the Lease of a session has expired. `nowMs` is the time of the API server in milliseconds since 1970. */
export function isExpired({ spec, metadata }: Lease, nowMs: number): boolean {
  const renewed = Date.parse(spec.renewTime ?? metadata.creationTimestamp ?? '');
  return Number.isNaN(renewed) || renewed + (spec.leaseDurationSeconds ?? LEASE_SECONDS) * 1000 < nowMs;
}

function holderIdentity(): string {
  return `${userName()}@${hostname()}`;
}
/** Returns the name of the user. The operating system may not have a name for the user, for example in a container. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user-${process.getuid?.() ?? 'unknown'}`;
  }
}
