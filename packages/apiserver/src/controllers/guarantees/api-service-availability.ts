import { type Steps, withBreak } from '@kubewright/api/apply';
import { timestamp } from '../../registry/metadata/metadata-rules.js';
import {
  type AggregatedService,
  aggregatedService,
  apiServiceBucket as bucket,
} from '../../registry/aggregation/aggregated-service.js';
import { remoteUserHeaders } from '../../registry/aggregation/remote-user-headers.js';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { copyJson, objectAt, objectsAt, stringAt, textsAt, valueAt } from '../../registry/objects/json-object.js';
import { systemContext } from '../../registry/requests/request-context.js';
import { mastersGroup } from '../../registry/requests/user.js';
import { type Endpoint, serviceEndpoint } from '../../registry/webhooks/service-endpoint.js';
import { waitFor } from '../../registry/webhooks/wait-for.js';
import { WebhookCallError } from '../../registry/webhooks/webhook-call-error.js';
import { isSameCondition, type NewCondition, withoutCondition } from '../objects/condition-list.js';
import { conditionOf } from '../objects/pod-state.js';
import type { Controller, ControllerSetting, KeyQueue } from '../work/controller.js';
import type { FeedEvent } from '../work/resource-feed.js';

const slices = 'discovery.k8s.io/endpointslices';
const checkMs = 5000;
/** A failed check is repeated after this time, which doubles with each failure up to `againMs`. */
const firstRetryMs = 5;
const againMs = 30_000;
const aggregator = { name: 'system:kube-aggregator', groups: [mastersGroup] };

type Availability = Omit<NewCondition, 'type'>;

/** Reports in the condition Available of each APIService whether the API server behind its Service answers. */
export class ApiServiceAvailability implements Controller {
  readonly name = 'available-condition';
  readonly concurrency = 10;
  readonly #setting: ControllerSetting;
  /** The key of the Service, `namespace/name`, by the name of its APIService. */
  readonly #services = new Map<string, string>();
  /** The number of successive failed checks of APIServices. */
  readonly #failures = new Map<string, number>();

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket: changed, object }: FeedEvent, queue: KeyQueue): void {
    const { name, namespace, labels } = object.metadata;
    if (changed === bucket) {
      const service = aggregatedService(object);
      if (type === 'DELETED') this.#failures.delete(name);
      if (type === 'DELETED' || service === undefined) this.#services.delete(name);
      else this.#services.set(name, `${service.namespace}/${service.name}`);
      if (type !== 'DELETED') queue.add(name);
    }
    if (this.#services.size === 0 || (changed !== '/services' && changed !== slices)) return;
    const service = `${namespace}/${changed === slices ? (labels?.['kubernetes.io/service-name'] ?? '') : name}`;
    for (const [apiService, key] of this.#services) if (key === service) queue.add(apiService);
  }

  *sync(name: string, queue: KeyQueue): Steps<void> {
    const { registry } = this.#setting;
    const resource = registry.builtIn('apiregistration.k8s.io/v1/apiservices');
    const live = resource.find({ name });
    if (live === undefined) return;
    const service = aggregatedService(live);
    const found = service === undefined ? local : (this.#fault(service) ?? (yield* this.#check(live, service)));
    this.#scheduleNext(name, found, queue);
    const known = conditionOf(live, 'Available');
    if (isSameCondition(known, found)) return;
    const lastTransitionTime =
      known?.['status'] === found.status ? known['lastTransitionTime'] : timestamp(registry.clock.now());
    const condition = { type: 'Available', ...found, lastTransitionTime };
    const change = withBreak((current: ApiObject) => {
      if (current.metadata.uid !== live.metadata.uid) return current;
      const others = withoutCondition(objectsAt(current, 'status', 'conditions'), condition.type);
      return { ...current, status: { ...copyJson(objectAt(current, 'status')), conditions: [...others, condition] } };
    });
    yield* resource.updateSteps({ name }, change, systemContext('kube-apiserver', 'update', 'status'));
  }

  /**
   * Returns the reason why the server cannot reach the Service. Returns undefined if the Service has ready endpoints, or if its type is not
   * ClusterIP.
   */
  #fault({ namespace, name, port }: AggregatedService): Availability | undefined {
    const { store } = this.#setting.registry;
    const missing = (reason: string, message: string): Availability => ({ status: 'False', reason, message });
    const service = store.get('/services', { namespace, name });
    const where = `service/${name} in "${namespace}"`;
    if (service === undefined) return missing('ServiceNotFound', `${where} is not present`);
    if (stringAt(service, 'spec', 'type') !== 'ClusterIP') return undefined;
    const own = objectsAt(service, 'spec', 'ports').find((found) => found['port'] === port);
    if (own === undefined) return missing('ServicePortError', `${where} is not listening on port ${port}`);
    const found = store
      .list(slices, { namespace })
      .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name);
    if (found.length === 0) return missing('EndpointsNotFound', `cannot find endpointslices for ${where}`);
    const portName = stringAt(own, 'name');
    if (found.some((slice) => hasReadyEndpoint(slice, portName))) return undefined;
    const message = `endpointslices for ${where} have no addresses with port name "${portName}"`;
    return missing('MissingEndpoints', message);
  }

  /**
   * If the last check called the API server, schedules the next check, because the API server can stop without a change of an object. The
   * delay is 30 s after a passed check. After failed checks, the delay doubles from 5 ms up to 30 s.
   */
  #scheduleNext(name: string, { reason }: Availability, queue: KeyQueue): void {
    const failures = reason === 'FailedDiscoveryCheck' ? (this.#failures.get(name) ?? 0) + 1 : 0;
    if (failures === 0) this.#failures.delete(name);
    else this.#failures.set(name, failures);
    if (failures > 0) queue.addAfter(name, Math.min(firstRetryMs * 2 ** (failures - 1), againMs));
    else if (reason === 'Passed') queue.addAfter(name, againMs);
  }

  /** Requests the discovery document of the group version. Returns whether the API server answers with a 2xx status within 5 s. */
  *#check(apiService: ApiObject, service: AggregatedService): Steps<Availability> {
    const { clock, store, aggregation } = this.#setting.registry;
    const path = `/apis/${stringAt(apiService, 'spec', 'group')}/${stringAt(apiService, 'spec', 'version')}`;
    const failed = (message: string): Availability => ({ status: 'False', reason: 'FailedDiscoveryCheck', message });
    const endpoint = endpointOf(() => serviceEndpoint(store, service, clock.random.number));
    if (typeof endpoint === 'string') return failed(endpoint);
    const { host, port } = endpoint;
    const url = `https://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
    const end = new AbortController();
    const timer = clock.schedule(checkMs, () => end.abort(new WebhookCallError('context deadline exceeded')));
    const headers = remoteUserHeaders(aggregator);
    const fault = yield* waitFor(async () => {
      try {
        const { response } = await aggregation.open(apiService, { method: 'GET', path, headers, signal: end.signal });
        response.resume();
        const { statusCode = 0 } = response;
        return statusCode >= 200 && statusCode < 300 ? undefined : `bad status from ${url}: ${statusCode}`;
      } catch (error) {
        return `Get "${url}": ${(end.signal.aborted ? (end.signal.reason as Error) : (error as Error)).message}`;
      } finally {
        timer.cancel();
      }
    });
    if (fault === undefined) return { status: 'True', reason: 'Passed', message: 'all checks passed' };
    return failed(`failing or missing response from ${url}: ${fault}`);
  }
}

/** Returns an endpoint of a Service, or the reason why the Service has none. */
function endpointOf(find: () => Endpoint): Endpoint | string {
  try {
    return find();
  } catch (error) {
    if (error instanceof WebhookCallError) return error.message;
    throw error;
  }
}

const local: Availability = {
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
};

function hasReadyEndpoint(slice: ApiObject, portName: string): boolean {
  if (!objectsAt(slice, 'ports').some((port) => stringAt(port, 'name') === portName)) return false;
  return objectsAt(slice, 'endpoints').some(
    (endpoint) => valueAt(endpoint, 'conditions', 'ready') !== false && textsAt(endpoint, 'addresses').length > 0,
  );
}
