import { isIPv4 } from 'node:net';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { Store } from '../../storage/store.js';
import { type ApiObject, objectsAt, stringAt } from '../json-object.js';

const bucket = '/services';
const network = '10.0.0.';
const firstNodePort = 30_000;
const lastNodePort = 32_767;

/** The addresses and node ports of a cluster (10.0.0.0/16), of which every Service has its own. */
export class ServiceAddresses {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** A free address. 10.0.0.1 is the API server's, 10.0.0.10 is left to DNS, as is custom. */
  nextClusterIp(): string {
    const taken = new Set(this.#store.list(bucket).map((service) => stringAt(service, 'spec', 'clusterIP')));
    for (let host = 11; host < 256 * 256; host += 1) {
      const address = host < 256 ? `${network}${host}` : `10.0.${Math.trunc(host / 256)}.${host % 256}`;
      if (!taken.has(address)) return address;
    }
    throw new RangeError('every address of 10.0.0.0/16 is taken by a Service');
  }

  /** A free node port that is not in `also`. */
  nextNodePort(also: ReadonlySet<unknown>): number {
    const services = this.#store.list(bucket);
    const taken = new Set(
      services.flatMap((service) => objectsAt(service, 'spec', 'ports').map((port) => port['nodePort'])),
    );
    for (let port = firstNodePort; port <= lastNodePort; port += 1) {
      if (!taken.has(port) && !also.has(port)) return port;
    }
    throw new RangeError('every node port is taken by a Service');
  }

  /** The error of an address that is none, or is another Service's. */
  conflicts(service: ApiObject): readonly FieldError[] {
    const address = stringAt(service, 'spec', 'clusterIP');
    if (address === '' || address === 'None' || stringAt(service, 'spec', 'type') === 'ExternalName') return [];
    const field = 'spec.clusterIPs[0]';
    if (!isIPv4(address)) {
      return [fieldErrors.invalid(field, address, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
    }
    const other = this.#store
      .list(bucket)
      .some((known) => known.metadata.uid !== service.metadata.uid && stringAt(known, 'spec', 'clusterIP') === address);
    const why = `failed to allocate IP ${address}: provided IP is already allocated`;
    return other ? [fieldErrors.invalid('spec.clusterIPs', [address], why)] : [];
  }
}
