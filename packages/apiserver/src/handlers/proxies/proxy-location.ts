import { isIP } from 'node:net';
import { numberAt, objectsAt, stringAt } from '../../registry/objects/json-object.js';
import type { Registry } from '../../registry/registry.js';
import { badRequest, failure, notFound } from '../../registry/requests/status-errors.js';
import type { ResourceKey } from '../../registry/requests/verb-options.js';
import { kubeletAddress } from '../pods/kubelet-subresources.js';

/** The address to which a proxy connects. */
export interface ProxyLocation {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  /** Undefined for the default port of the scheme. */
  readonly port: string | undefined;
  /**
   * Whether no program listens at the address. True for the kubelet of a node, and for an address that the server has assigned to a Pod.
   */
  readonly isVirtual: boolean;
}

/** The addresses that the server assigns to Pods. */
const podNetwork = /^10\.24[4-7]\./;

/** Addresses that are not unicast: unspecified, link-local, multicast and broadcast addresses. */
const notUnicast = /^(?:0\.0\.0\.0|169\.254\.|22[4-9]\.|23\d\.|255\.255\.255\.255|::$|fe[89ab]|ff)/i;

/**
 * Returns the address of a Pod, Service or Node. The name in the path can have a port and a scheme, such as `https:web:8443`. Throws 400
 * for a name that is not valid and for a Pod without an allowed address, 404 if the object does not exist, and 503 if a Service has no
 * endpoint.
 */
export function proxyLocation(registry: Registry, plural: string, key: ResourceKey): ProxyLocation {
  const kind = plural.replace(/s$/, '');
  const parts = key.name.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme)) {
    throw badRequest(`invalid ${kind} request ${JSON.stringify(key.name)}`);
  }
  const target = { scheme: scheme === 'https' ? 'https' : 'http', port } as const;
  const named = { ...key, name };
  if (plural === 'nodes') return nodeLocation(registry, named, target);
  return plural === 'pods'
    ? podLocation(registry, named, target)
    : serviceLocation(registry, named, { ...target, id: key.name });
}

interface Target {
  readonly scheme: 'http' | 'https';
  readonly port: string;
}

function podLocation(registry: Registry, key: ResourceKey, { scheme, port }: Target): ProxyLocation {
  const pod = registry.builtIn('/v1/pods').get(key);
  const ports = objectsAt(pod, 'spec', 'containers').map((container) => objectsAt(container, 'ports')[0]);
  const first = numberAt(
    ports.find((each) => each !== undefined),
    'containerPort',
  );
  return locationOf({
    scheme,
    host: stringAt(pod, 'status', 'podIP'),
    port: port || (first === undefined ? '' : String(first)),
  });
}

/** As in kube-apiserver, only the addresses of existing Pods are endpoints of a proxy. */
function serviceLocation(
  registry: Registry,
  key: ResourceKey,
  { scheme, port, id }: Target & { readonly id: string },
): ProxyLocation {
  const portName = /^\d+$/.test(port) ? servicePortName(registry, key, Number(port)) : port;
  const services = registry.builtIn('/v1/services');
  const endpoints = registry.builtIn('/v1/endpoints').find(key);
  if (endpoints === undefined) throw notFound(services.definition, key.name);
  const subsets = objectsAt(endpoints, 'subsets');
  if (subsets.length === 0) throw unavailable(`no endpoints available for service ${JSON.stringify(key.name)}`);
  const found = subsets.flatMap((subset) => {
    const own = objectsAt(subset, 'ports').find((each) => stringAt(each, 'name') === portName);
    const addresses = own === undefined ? [] : objectsAt(subset, 'addresses');
    return addresses
      .filter((address) => isPodAddress(registry, address))
      .map((address) => ({ host: stringAt(address, 'ip'), port: String(numberAt(own, 'port') ?? '') }));
  });
  const chosen = found[Math.floor(registry.clock.random.number() * found.length)];
  if (chosen === undefined) throw unavailable(`no endpoints available for service ${JSON.stringify(id)}`);
  return locationOf({ scheme, ...chosen });
}

function servicePortName(registry: Registry, key: ResourceKey, port: number): string {
  const service = registry.builtIn('/v1/services').get(key);
  const own = objectsAt(service, 'spec', 'ports').find((each) => each['port'] === port);
  if (own !== undefined) return stringAt(own, 'name');
  throw unavailable(`no service port ${port} found for service ${JSON.stringify(key.name)}`);
}

function isPodAddress(registry: Registry, address: object): boolean {
  const target = {
    namespace: stringAt(address, 'targetRef', 'namespace'),
    name: stringAt(address, 'targetRef', 'name'),
  };
  if (stringAt(address, 'targetRef', 'kind') !== 'Pod') return false;
  const pod = registry.builtIn('/v1/pods').find(target);
  return objectsAt(pod, 'status', 'podIPs').some(({ ip }) => ip === stringAt(address, 'ip'));
}

function nodeLocation(registry: Registry, key: ResourceKey, { scheme, port }: Target): ProxyLocation {
  const nodes = registry.builtIn('/v1/nodes');
  const node = nodes.find(key);
  if (node === undefined) throw notFound(nodes.definition, key.name);
  const [, host = '', kubeletPort = ''] = /^(.*):(\d+)$/.exec(kubeletAddress(node)) ?? [];
  const isKubelet = port === '' || port === kubeletPort;
  if (isKubelet) return { scheme: 'https', host, port: kubeletPort, isVirtual: true };
  return locationOf({ scheme, host, port });
}

function locationOf({
  scheme,
  host,
  port,
}: {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: string;
}): ProxyLocation {
  if (isIP(host) === 0 || notUnicast.test(host)) throw badRequest('address not allowed');
  return { scheme, host, port: port === '' ? undefined : port, isVirtual: podNetwork.test(host) };
}

/** Returns the 503 error for a target without a reachable address. */
export function unavailable(message: string): Error {
  return failure(503, 'ServiceUnavailable', { message });
}
