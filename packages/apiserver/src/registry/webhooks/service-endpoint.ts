import type { Store } from '../../storage/store.js';
import type { ApiObject, JsonObject } from '../objects/api-object.js';
import { objectAt, objectsAt, stringAt, textsAt, valueAt } from '../objects/json-object.js';
import { servicePort, type WebhookService } from './client-config.js';
import { WebhookCallError } from './webhook-call-error.js';

/** The address to which the server connects. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/**
 * Returns the address of a ready endpoint of a webhook's Service, or the external name of this Service. The server is not part of the
 * network of a cluster, so it cannot connect to cluster IPs. As in a kube-apiserver with `--enable-aggregator-routing`, selects one of the
 * endpoints at random, and prefers the primary IP family of the Service. For a Service without EndpointSlices, uses its Endpoints, which a
 * cluster would mirror to an EndpointSlice. Throws a WebhookCallError if the Service, its port or an endpoint is missing.
 * @param random returns a number from 0 up to, not including, 1. @default Math.random
 */
export function serviceEndpoint(store: Store, service: WebhookService, random: () => number = Math.random): Endpoint {
  const { namespace, name } = service;
  const found = store.get('/services', { namespace, name });
  if (found === undefined) throw new WebhookCallError(`service "${name}" not found`);
  const port = servicePort(service);
  const type = stringAt(found, 'spec', 'type');
  if (type === 'ExternalName') return { host: stringAt(found, 'spec', 'externalName'), port };
  const own = objectsAt(found, 'spec', 'ports').find((each) => each['port'] === port);
  if (own === undefined) throw new WebhookCallError(`no service port ${port} found for service "${name}"`);
  const endpoints = readyEndpoints(store, found, stringAt(own, 'name'));
  const endpoint = endpoints[Math.floor(random() * endpoints.length)];
  if (endpoint === undefined) throw new WebhookCallError(`no endpoints available for service "${name}"`);
  return endpoint;
}

/**
 * Returns the ready endpoints of a Service in its primary IP family. If there are none, returns the ready endpoints in the other family.
 */
function readyEndpoints(store: Store, service: ApiObject, portName: string): readonly Endpoint[] {
  const { namespace, name } = service.metadata;
  const slices = store
    .list('discovery.k8s.io/endpointslices', { namespace })
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name);
  if (slices.length === 0) return listedEndpoints(store.get('/endpoints', { namespace, name }), portName);
  const [primary] = textsAt(objectAt(service, 'spec'), 'ipFamilies');
  const preferred = slices.filter(({ addressType }) => addressType === primary);
  const ready = preferred.flatMap((slice) => sliceEndpoints(slice, portName));
  return ready.length > 0 ? ready : slices.flatMap((slice) => sliceEndpoints(slice, portName));
}

function sliceEndpoints(slice: ApiObject, portName: string): readonly Endpoint[] {
  const port = portOf(objectsAt(slice, 'ports'), portName);
  if (port === undefined) return [];
  return objectsAt(slice, 'endpoints').flatMap((endpoint) => {
    const [host] = textsAt(endpoint, 'addresses');
    return valueAt(endpoint, 'conditions', 'ready') === false || host === undefined ? [] : [{ host, port }];
  });
}

/** Returns the ready addresses in the Endpoints of a Service. */
function listedEndpoints(endpoints: ApiObject | undefined, portName: string): readonly Endpoint[] {
  return objectsAt(endpoints, 'subsets').flatMap((subset) => {
    const port = portOf(objectsAt(subset, 'ports'), portName);
    if (port === undefined) return [];
    return objectsAt(subset, 'addresses').map((address) => ({ host: stringAt(address, 'ip'), port }));
  });
}

function portOf(ports: readonly JsonObject[], name: string): number | undefined {
  const port = ports.find((each) => stringAt(each, 'name') === name)?.['port'];
  return typeof port === 'number' ? port : undefined;
}
