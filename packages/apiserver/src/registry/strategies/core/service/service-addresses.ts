import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { Store } from '../../../../storage/store.js';
import type { ApiObject } from '../../../objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../../objects/json-object.js';

const bucket = '/services';
const network = '10.96.';
const firstNodePort = 30_000;
const lastNodePort = 32_767;

/**
 * The cluster IPs (10.96.0.0/16) and node ports (30000 to 32767) of a cluster. Each Service has its own cluster IP and node ports. The
 * write of a Service claims these values until the write ends, because other requests run between the steps of a write.
 */
export class ServiceAddresses {
  readonly #store: Store;
  /** The claimed addresses and ports, with the uids of the Services that claim them. */
  readonly #claims = new Map<string | number, string>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Claims the cluster IP and the node ports of a Service until its write ends. Does not claim values that another write has claimed. */
  claim(service: ApiObject): void {
    const { uid } = service.metadata;
    this.release(uid);
    const address = stringAt(service, 'spec', 'clusterIP');
    for (const each of [...(address.startsWith(network) ? [address] : []), ...nodePortsOf(service)]) {
      if (!this.#claims.has(each)) this.#claims.set(each, uid);
    }
  }
  /** Ends the claims of a Service. */
  release(uid: string): void {
    for (const [each, owner] of this.#claims) if (owner === uid) this.#claims.delete(each);
  }

  /**
   * Returns a free address. The search begins at 10.96.0.11: 10.96.0.1 is the address of the Service `kubernetes`, and 10.96.0.10 is by
   * convention the address of the cluster DNS. Throws a RangeError if no address is free.
   */
  nextClusterIp(): string {
    const stored = this.#store.list(bucket).map((service) => stringAt(service, 'spec', 'clusterIP'));
    const taken = new Set<unknown>([...stored, ...this.#claims.keys()]);
    for (let host = 11; host < 256 * 256; host += 1) {
      const address = `${network}${Math.trunc(host / 256)}.${host % 256}`;
      if (!taken.has(address)) return address;
    }
    throw new RangeError(
      'cannot allocate a cluster IP: every address from 10.96.0.11 to 10.96.255.255 is in use; delete a Service that has a cluster IP',
    );
  }

  /**
   * Returns a function that returns another free node port at each call, and throws a RangeError if no port is free. Skips the ports in
   * `also`.
   */
  nodePorts(also: readonly unknown[]): () => number {
    let taken: ReadonlySet<unknown> | undefined;
    let port = firstNodePort - 1;
    return () => {
      taken ??= new Set([...also, ...this.#store.list(bucket).flatMap(nodePortsOf), ...this.#claims.keys()]);
      do port += 1;
      while (taken.has(port));
      if (port > lastNodePort)
        throw new RangeError(
          'cannot allocate a node port: every port from 30000 to 32767 is in use; delete a Service that has node ports',
        );
      return port;
    };
  }

  /** Returns the errors of addresses and node ports that are outside of the ranges or that another Service uses. */
  conflicts(service: ApiObject): readonly FieldError[] {
    return [...this.#addressErrors(service), ...this.#portErrors(service)];
  }

  #addressErrors(service: ApiObject): readonly FieldError[] {
    const address = stringAt(service, 'spec', 'clusterIP');
    if (address === '' || address === 'None' || stringAt(service, 'spec', 'type') === 'ExternalName') return [];
    const refused = (why: string): readonly FieldError[] => [
      fieldErrors.invalid('spec.clusterIPs', [address], `failed to allocate IP ${address}: ${why}`),
    ];
    if (!address.startsWith(network)) {
      return refused('the provided network does not match the current range');
    }
    const isTaken = this.#others(service).some((known) => stringAt(known, 'spec', 'clusterIP') === address);
    return isTaken || this.#isClaimedByOther(address, service) ? refused('provided IP is already allocated') : [];
  }

  #portErrors(service: ApiObject): readonly FieldError[] {
    const taken = new Set(this.#others(service).flatMap(nodePortsOf));
    return errorsOfEach(objectsAt(service, 'spec', 'ports'), ({ nodePort }, index) => {
      if (typeof nodePort !== 'number' || nodePort === 0) return [];
      const at = `spec.ports[${index}].nodePort`;
      if (nodePort < firstNodePort || nodePort > lastNodePort) {
        const why = `provided port is not in the valid range. The range of valid ports is ${firstNodePort}-${lastNodePort}`;
        return [fieldErrors.invalid(at, nodePort, why)];
      }
      const isTaken = taken.has(nodePort) || this.#isClaimedByOther(nodePort, service);
      return isTaken ? [fieldErrors.invalid(at, nodePort, 'provided port is already allocated')] : [];
    });
  }

  #isClaimedByOther(value: string | number, { metadata: { uid } }: ApiObject): boolean {
    const owner = this.#claims.get(value);
    return owner !== undefined && owner !== uid;
  }
  #others(service: ApiObject): readonly ApiObject[] {
    return this.#store.list(bucket).filter((known) => known.metadata.uid !== service.metadata.uid);
  }
}

/** Returns the node ports of a Service, including the port of its health check. */
function nodePortsOf(service: ApiObject): readonly number[] {
  const ports = objectsAt(service, 'spec', 'ports').map((port) => port['nodePort']);
  return [...ports, objectAt(service, 'spec')['healthCheckNodePort']].filter((port) => typeof port === 'number');
}
