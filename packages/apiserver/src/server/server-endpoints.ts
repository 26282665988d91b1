import { isIP } from 'node:net';
import type { Registry } from '../registry/registry.js';
import { publish } from './publish.js';

const key = { name: 'kubernetes', namespace: 'default' };
/** An address that is reserved for documentation, because Endpoints cannot contain loopback addresses. */
const unreachableAddress = '192.0.2.1';
/** The loopback addresses and the unspecified addresses. Other hosts cannot connect to these addresses. */
const localAddresses = /^(?:127\.|0\.0\.0\.0$|::1?$)/;

/**
 * Publishes the address of the server as the Endpoints and the EndpointSlice of the Service default/kubernetes. If `host` is a loopback
 * address, an unspecified address such as 0.0.0.0, or a host name, the published address is 192.0.2.1. The content is valid, so the objects
 * are not validated.
 */
export function publishServerEndpoints(registry: Registry, { host, port }: { host: string; port: number }): void {
  const address = isIP(host) === 0 || localAddresses.test(host) ? unreachableAddress : host;
  const ports = [{ name: 'https', port, protocol: 'TCP' }];
  publish(registry, '/endpoints', {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { ...key, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: [{ ip: address }], ports }],
  });
  publish(registry, 'discovery.k8s.io/endpointslices', {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { ...key, labels: { 'kubernetes.io/service-name': key.name }, generation: 1 },
    addressType: isIP(address) === 6 ? 'IPv6' : 'IPv4',
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports,
  });
}
