import { isIP } from 'node:net';
import type { ApiObject } from '../registry/objects/api-object.js';
import type { Registry } from '../registry/registry.js';
import { systemContext } from '../registry/requests/request-context.js';
import { endpointAddressErrors } from '../registry/strategies/rules/endpoint-addresses.js';

const metadata = { name: 'kubernetes', namespace: 'default' };
/** An address that is reserved for documentation, because Endpoints cannot contain loopback addresses. */
const unreachableAddress = '192.0.2.1';

/**
 * Publishes the address of the server as the Endpoints and the EndpointSlice of the Service default/kubernetes. If the server only listens
 * on a loopback address or on a host name, the published address is 192.0.2.1.
 */
export function publishServerEndpoints(registry: Registry, { host, port }: { host: string; port: number }): void {
  const isPublic = isIP(host) !== 0 && endpointAddressErrors(host, '').length === 0;
  const address = isPublic ? host : unreachableAddress;
  const ports = [{ name: 'https', port, protocol: 'TCP' }];
  write(registry, '/v1/endpoints', {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { ...metadata, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: [{ ip: address }], ports }],
  });
  write(registry, 'discovery.k8s.io/v1/endpointslices', {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { ...metadata, labels: { 'kubernetes.io/service-name': metadata.name } },
    addressType: isIP(address) === 6 ? 'IPv6' : 'IPv4',
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports,
  });
}

function write(
  registry: Registry,
  path: '/v1/endpoints' | 'discovery.k8s.io/v1/endpointslices',
  body: Omit<ApiObject, 'metadata'> & { readonly metadata: object },
): void {
  const resource = registry.builtIn(path);
  const live = resource.find(metadata);
  const canUpdate = live !== undefined && live['addressType'] === body['addressType'];
  if (canUpdate) {
    const change = (known: ApiObject): unknown => ({ ...body, metadata: { ...known.metadata, ...body.metadata } });
    resource.update(metadata, change, systemContext('kube-apiserver', 'update'));
    return;
  }
  // The address type of an EndpointSlice is immutable.
  if (live !== undefined) resource.delete(metadata, {}, systemContext('kube-apiserver', 'delete'));
  resource.create(body, systemContext('kube-apiserver', 'create'));
}
