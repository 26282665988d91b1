import { deepEqual } from '@kubewright/api/patch';
import { type ApiObject, type JsonDraft, objectAt, objectsAt, stringAt } from '../../registry/json-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../controller.js';
import { controllerContext } from '../controller-context.js';
import { keyText, parseKey } from '../object-reference.js';
import type { FeedEvent } from '../resource-feed.js';
import { ChangeTimes, changeTimeAnnotation } from './change-times.js';
import { controllerReference } from './controller-reference.js';
import { isNamespaceTerminating } from './pod-control.js';
import { isReady } from './pod-state.js';
import { ServiceObserver } from './service-observer.js';
import { hasAddress, hostnameOf, isHeadless, portsOf, selects, selectsPods } from './service-pods.js';

const bucket = 'discovery.k8s.io/endpointslices';
const mostEndpoints = 100;
const managedBy = 'endpointslice.kubernetes.io/managed-by';
const serviceName = 'kubernetes.io/service-name';
const headlessLabel = 'service.kubernetes.io/headless';
const manager = 'endpointslice-controller.k8s.io';

/** What one slice is to hold. */
interface Content {
  readonly ports: readonly JsonDraft[] | null;
  readonly endpoints: readonly JsonDraft[];
}

/** Keeps the EndpointSlices of each Service that chooses Pods, with at most a hundred endpoints each. */
export class EndpointSliceController implements Controller {
  readonly name = 'endpointslice-controller';
  readonly #setting: ControllerSetting;
  readonly #observer: ServiceObserver;
  readonly #times = new ChangeTimes();

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
    this.#observer = new ServiceObserver(setting.index);
  }

  observe(event: FeedEvent, queue: KeyQueue): void {
    this.#observer.observe(event, queue);
    if (event.bucket !== bucket) return;
    const slice = event.object as unknown as ApiObject;
    const owner = slice.metadata.ownerReferences?.find(({ kind, controller }) => kind === 'Service' && controller);
    if (owner !== undefined && slice.metadata.labels?.[managedBy] === manager) {
      queue.add(keyText({ name: owner.name, namespace: slice.metadata.namespace }));
    }
  }

  sync(key: string): void {
    const { registry, index } = this.#setting;
    const service = registry.builtIn('/v1/services').find(parseKey(key));
    if (service === undefined) {
      this.#times.forget(key);
      return;
    }
    if (!selectsPods(service) || service.metadata.deletionTimestamp !== undefined) return;
    const pods = index.inNamespace('/pods', service.metadata.namespace).filter((pod) => selects(service, pod));
    const time = this.#times.since(key, service, pods);
    const slices = index
      .controlledBy(service, bucket)
      .filter(({ metadata }) => metadata.labels?.[managedBy] === manager);
    const kept = slices.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    try {
      this.#write(service, { slices: kept, contents: contentsOf(service, pods), time });
    } catch (error) {
      if (!isNamespaceTerminating(error)) throw error;
    }
  }

  /** Puts the contents into the slices that hold most of them, makes the slices that are missing and deletes the rest. */
  #write(
    service: ApiObject,
    options: {
      readonly slices: readonly ApiObject[];
      readonly contents: readonly Content[];
      readonly time: string | undefined;
    },
  ): void {
    const { contents, time } = options;
    const resource = this.#setting.registry.builtIn('discovery.k8s.io/v1/endpointslices');
    const free = [...options.slices];
    const places = contents.map((content) => ({ content, slice: takeMatching(free, content) }));
    for (const { content, slice: matching } of places) {
      const slice = matching ?? free.shift();
      const body = sliceOf(service, { content, slice, time });
      if (slice === undefined) resource.create(body, controllerContext(this.name, 'create'));
      else if (!isCurrent(slice, service, content)) {
        resource.update(slice.metadata, () => body, controllerContext(this.name, 'update'));
      }
    }
    for (const { metadata } of free) resource.delete(metadata, {}, controllerContext(this.name, 'delete'));
  }
}

/** The slice of the same ports that shares most endpoints with the content, taken out of the list. */
function takeMatching(free: ApiObject[], { ports, endpoints }: Content): ApiObject | undefined {
  const uids = new Set(endpoints.map(uidOf));
  let best: { at: number; shared: number } | undefined;
  for (const [at, slice] of free.entries()) {
    if (!deepEqual(slice['ports'] ?? null, ports)) continue;
    const shared = objectsAt(slice, 'endpoints').filter((endpoint) => uids.has(uidOf(endpoint))).length;
    if (best === undefined || shared > best.shared) best = { at, shared };
  }
  return best === undefined ? undefined : free.splice(best.at, 1)[0];
}

function uidOf(endpoint: JsonDraft): string {
  return stringAt(endpoint, 'targetRef', 'uid');
}

function isCurrent(slice: ApiObject, service: ApiObject, { ports, endpoints }: Content): boolean {
  return (
    deepEqual(slice['ports'] ?? null, ports) &&
    deepEqual(slice['endpoints'] ?? [], endpoints) &&
    deepEqual(slice.metadata.labels ?? {}, labelsOf(service))
  );
}

function sliceOf(
  service: ApiObject,
  {
    content,
    slice,
    time,
  }: { readonly content: Content; readonly slice: ApiObject | undefined; readonly time: string | undefined },
): object {
  const { [changeTimeAnnotation]: _, ...kept } = slice?.metadata.annotations ?? {};
  const annotations = { ...kept, ...(time === undefined ? {} : { [changeTimeAnnotation]: time }) };
  const { name, namespace } = service.metadata;
  const made = { generateName: `${name}-`, namespace, ownerReferences: [controllerReference(service)] };
  const { annotations: __, ...known } = slice?.metadata ?? {};
  const metadata = slice === undefined ? made : known;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      ...metadata,
      labels: labelsOf(service),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    addressType: 'IPv4',
    endpoints: content.endpoints,
    ports: content.ports,
  };
}

function labelsOf(service: ApiObject): Readonly<Record<string, string>> {
  const { [headlessLabel]: _, [managedBy]: __, [serviceName]: ___, ...labels } = service.metadata.labels ?? {};
  return {
    ...labels,
    ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
    [serviceName]: service.metadata.name,
    [managedBy]: manager,
  };
}

/** What the slices of a Service hold: Pods of the same ports together; without Pods there is one empty slice. */
function contentsOf(service: ApiObject, pods: readonly ApiObject[]): readonly Content[] {
  const groups = new Map<string, { ports: readonly JsonDraft[] | null; endpoints: JsonDraft[] }>();
  for (const pod of pods) {
    if (!hasAddress(pod)) continue;
    const ports = portsOf(service, pod);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports: ports.length === 0 ? null : ports, endpoints: [] };
    groups.set(key, group);
    group.endpoints.push(endpointOf(service, pod));
  }
  const contents = [...groups.values()].flatMap(({ ports, endpoints }) =>
    Array.from({ length: Math.ceil(endpoints.length / mostEndpoints) }, (_, part) => ({
      ports,
      endpoints: endpoints.slice(part * mostEndpoints, (part + 1) * mostEndpoints),
    })),
  );
  return contents.length === 0 ? [{ ports: null, endpoints: [] }] : contents;
}

function endpointOf(service: ApiObject, pod: ApiObject): JsonDraft {
  const { name, namespace, uid, deletionTimestamp } = pod.metadata;
  const serving = isReady(pod);
  const terminating = deletionTimestamp !== undefined;
  const always = objectAt(service, 'spec')['publishNotReadyAddresses'] === true;
  const nodeName = stringAt(pod, 'spec', 'nodeName');
  const hostname = hostnameOf(service, pod);
  return {
    addresses: [stringAt(pod, 'status', 'podIP')],
    conditions: { ready: always || (serving && !terminating), serving, terminating },
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === '' ? {} : { nodeName }),
    targetRef: { kind: 'Pod', namespace, name, uid },
  };
}
