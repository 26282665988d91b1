import type { Store } from '../../storage/store.js';
import type { ApiObject } from '../objects/api-object.js';
import { numberAt, objectsAt, stringAt, valueAt } from '../objects/json-object.js';

/** The storage bucket of APIServices. */
export const apiServiceBucket = 'apiregistration.k8s.io/apiservices';

/** The Service behind an APIService. */
export interface AggregatedService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

const defaultPort = 443;

/** Returns the Service of an APIService, or undefined for an APIService that the server itself implements. */
export function aggregatedService(apiService: ApiObject): AggregatedService | undefined {
  const service = valueAt(apiService, 'spec', 'service');
  if (service === undefined) return undefined;
  return {
    namespace: stringAt(service, 'namespace'),
    name: stringAt(service, 'name'),
    port: numberAt(service, 'port') ?? defaultPort,
  };
}

/** Returns the APIServices whose group-versions other servers implement. */
export function aggregatedApiServices(store: Store): readonly ApiObject[] {
  return store.list(apiServiceBucket).filter((apiService) => aggregatedService(apiService) !== undefined);
}

/**
 * Returns the APIService of a path such as /apis/GROUP/VERSION/widgets if another server implements the group-version. Returns undefined
 * for all other paths.
 */
export function aggregatedApiService(store: Store, path: string): ApiObject | undefined {
  const [, root, group = '', version = ''] = path.split('/', 4);
  if (root !== 'apis' || group === '' || version === '') return undefined;
  const apiService = store.get(apiServiceBucket, { name: `${version}.${group}` });
  return apiService !== undefined && aggregatedService(apiService) !== undefined ? apiService : undefined;
}

/** Returns whether the condition of an APIService reports that its server answers. */
export function isAvailable(apiService: ApiObject): boolean {
  return objectsAt(apiService, 'status', 'conditions').some(
    ({ type, status }) => type === 'Available' && status === 'True',
  );
}
