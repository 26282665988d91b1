import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { objectsAt } from '../../../registry/objects/json-object.js';

/** The EndpointSlice label with the controller that manages the EndpointSlice. */
export const managedBy = 'endpointslice.kubernetes.io/managed-by';
/** The EndpointSlice label with the name of the Service. */
export const serviceName = 'kubernetes.io/service-name';

/** Returns a key that is equal for equal lists of ports. */
export function portsKey(ports: readonly JsonDraft[] | null): string {
  const values = ports?.map(({ name, port, protocol, appProtocol }) => [name, port, protocol, appProtocol]);
  return JSON.stringify(values ?? null);
}

/** Returns the `portsKey` of an EndpointSlice. */
export function portsKeyOf(slice: ApiObject): string {
  return portsKey(slice['ports'] === undefined || slice['ports'] === null ? null : objectsAt(slice, 'ports'));
}
