import { type Steps, withBreak } from '@kubewright/api/apply';
import { timestamp } from '../../registry/metadata/metadata-rules.js';
import {
  AggregationClient,
  type AggregatedService,
  aggregatedService,
} from '../../registry/aggregation/aggregation-client.js';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { copyJson, objectAt, objectsAt, stringAt, textsAt, valueAt } from '../../registry/objects/json-object.js';
import { systemContext } from '../../registry/requests/request-context.js';
import { waitFor } from '../../registry/webhooks/wait-for.js';
import { WebhookCallError } from '../../registry/webhooks/webhook-call-error.js';
import { conditionOf } from '../objects/pod-state.js';
import type { Controller, ControllerSetting, KeyQueue } from '../work/controller.js';
import type { FeedEvent } from '../work/resource-feed.js';

const bucket = 'apiregistration.k8s.io/apiservices';
const slices = 'discovery.k8s.io/endpointslices';
const checkMs = 5000;
const againMs = 30_000;

interface Availability {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** Reports in the condition Available of each APIService whether the API server behind its Service answers. */
export class ApiServiceAvailability implements Controller {
  readonly name = 'available-condition';
  readonly concurrency = 10;
  readonly #setting: ControllerSetting;
  readonly #client: AggregationClient;
  /** The keys of the Services of APIServices. */
  readonly #services = new Map<string, string>();

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
    this.#client = new AggregationClient(setting.registry.store, setting.registry.clock);
  }

  observe({ type, bucket: changed, object }: FeedEvent, queue: KeyQueue): void {
    const { name, namespace, labels } = object.metadata;
    if (changed === bucket) {
      const service = aggregatedService(object);
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
    const found = service === undefined ? local : (this.#fault(service) ?? (yield* this.#check(live)));
    if (found.reason === 'FailedDiscoveryCheck') queue.addAfter(name, againMs);
    const known = conditionOf(live, 'Available');
    if ((['status', 'reason', 'message'] as const).every((field) => known?.[field] === found[field])) return;
    const lastTransitionTime =
      known?.['status'] === found.status ? known['lastTransitionTime'] : timestamp(registry.clock.now());
    const condition = { type: 'Available', ...found, lastTransitionTime };
    const change = withBreak((current: ApiObject) => {
      if (current.metadata.uid !== live.metadata.uid) return current;
      const others = objectsAt(current, 'status', 'conditions').filter(({ type }) => type !== condition.type);
      return { ...current, status: { ...copyJson(objectAt(current, 'status')), conditions: [...others, condition] } };
    });
    yield* resource.updateSteps({ name }, change, systemContext('kube-apiserver', 'update', 'status'));
  }

  /** Returns the reason why the server cannot reach the Service, or undefined if the Service has ready endpoints. */
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

  /** Requests the discovery document of the group version. */
  *#check(apiService: ApiObject): Steps<Availability> {
    const { clock } = this.#setting.registry;
    const path = `/apis/${stringAt(apiService, 'spec', 'group')}/${stringAt(apiService, 'spec', 'version')}`;
    const end = new AbortController();
    const timer = clock.schedule(checkMs, () => end.abort(new WebhookCallError('context deadline exceeded')));
    const headers = { 'x-remote-user': 'system:kube-aggregator', 'x-remote-group': 'system:masters' };
    const fault = yield* waitFor(async () => {
      try {
        const answer = await this.#client.open(apiService, { method: 'GET', path, headers, signal: end.signal });
        answer.resume();
        const { statusCode = 0 } = answer;
        return statusCode >= 200 && statusCode < 300 ? undefined : `bad status from ${path}: ${statusCode}`;
      } catch (error) {
        return (end.signal.aborted ? (end.signal.reason as Error) : (error as Error)).message;
      } finally {
        timer.cancel();
      }
    });
    if (fault === undefined) return { status: 'True', reason: 'Passed', message: 'all checks passed' };
    const message = `failing or missing response from ${path}: ${fault}`;
    return { status: 'False', reason: 'FailedDiscoveryCheck', message };
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
