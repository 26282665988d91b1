import type { Store } from '../../storage/store.js';
import type { ApiObject } from '../objects/api-object.js';
import { objectsAt, stringAt, valueAt } from '../objects/json-object.js';
import { servicePort, type WebhookService } from './client-config.js';
import { WebhookCallError } from './webhook-call-error.js';

/** The address to which the server connects. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/**
 * Returns the address of a ready endpoint of the Service of a webhook, or the external name of the Service. The server is not part of the
 * network of a cluster, so it cannot connect to cluster IPs. Throws a WebhookCallError if the Service, its port or an endpoint is missing.
 */
export function serviceEndpoint(store: Store, service: WebhookService): Endpoint {
  const { namespace, name } = service;
  const found = store.get('/services', { namespace, name });
  if (found === undefined) throw new WebhookCallError(`service "${name}" not found`);
  const port = servicePort(service);
  const type = stringAt(found, 'spec', 'type');
  if (type === 'ExternalName') return { host: stringAt(found, 'spec', 'externalName'), port };
  const own = objectsAt(found, 'spec', 'ports').find((each) => each['port'] === port);
  if (own === undefined) throw new WebhookCallError(`no service port ${port} found for service "${name}"`);
  const portName = stringAt(own, 'name');
  for (const slice of store.list('discovery.k8s.io/endpointslices', { namespace })) {
    if (slice.metadata.labels?.['kubernetes.io/service-name'] !== name) continue;
    const endpoint = readyEndpoint(slice, portName);
    if (endpoint !== undefined) return endpoint;
  }
  throw new WebhookCallError(`no endpoints available for service "${name}"`);
}

function readyEndpoint(slice: ApiObject, portName: string): Endpoint | undefined {
  const port = objectsAt(slice, 'ports').find((each) => stringAt(each, 'name') === portName)?.['port'];
  const ready = objectsAt(slice, 'endpoints').find((each) => valueAt(each, 'conditions', 'ready') !== false);
  const [host] = (valueAt(ready, 'addresses') as readonly string[] | undefined) ?? [];
  return typeof port === 'number' && host !== undefined ? { host, port } : undefined;
}
