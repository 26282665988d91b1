import type { Steps } from '@kubewright/api/apply';
import { deepEqual } from '@kubewright/api/patch';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import { keyText, parseKey } from '../../objects/object-reference.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { withChangeTime } from './change-times.js';
import { controllerReference } from '../../objects/controller-reference.js';
import { isNamespaceTerminating } from '../pods/pod-control.js';
import { isReady } from '../../objects/pod-state.js';
import { createOrReplace } from './create-or-replace.js';
import { managedBy, portsKey, portsKeyOf, serviceName } from './slice-labels.js';
import { ServiceObserver } from './service-observer.js';
import { hasAddress, endpointPod, inheritedLabels, podsPerStep, portLists, selectsPods } from './service-pods.js';

const bucket = 'discovery.k8s.io/endpointslices';
const mostEndpoints = 100;
const manager = 'endpointslice-controller.k8s.io';

/** The desired content of one slice. */
interface Content {
  readonly ports: readonly JsonDraft[] | null;
  /** A text that is the same for equal ports. */
  readonly portsKey: string;
  readonly endpoints: readonly JsonDraft[];
}

/** Maintains the EndpointSlices of each Service that has a selector. Each EndpointSlice has at most 100 endpoints. */
export class EndpointSliceController implements Controller {
  readonly name = 'endpointslice-controller';
  readonly #setting: ControllerSetting;
  readonly #observer: ServiceObserver;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
    this.#observer = new ServiceObserver(setting.index);
  }

  observe(event: FeedEvent, queue: KeyQueue): void {
    this.#observer.observe(event, queue);
    if (event.bucket !== bucket) return;
    const slice = event.object;
    const owner = slice.metadata.ownerReferences?.find(({ kind, controller }) => kind === 'Service' && controller);
    if (owner !== undefined && slice.metadata.labels?.[managedBy] === manager) {
      queue.add(keyText({ name: owner.name, namespace: slice.metadata.namespace }));
    }
  }

  *sync(key: string): Steps<void> {
    const { registry, index } = this.#setting;
    const service = registry.builtIn('/v1/services').find(parseKey(key));
    if (service === undefined) {
      this.#observer.forget(key);
      return;
    }
    if (!selectsPods(service) || service.metadata.deletionTimestamp !== undefined) return;
    const { pods, time } = yield* this.#observer.read(key, service);
    const contents = yield* contentsOf(service, pods);
    const slices = index
      .controlledBy(service, bucket)
      .filter(({ metadata }) => metadata.labels?.[managedBy] === manager);
    const kept = slices.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    try {
      yield* this.#write(service, { slices: kept, contents, time });
    } catch (error) {
      if (!isNamespaceTerminating(error)) throw error;
    }
  }

  /**
   * Writes each content to the slice with the same ports that shares the most endpoints with the content, or to any unused slice. Creates
   * missing slices, and deletes the remaining slices.
   */
  *#write(
    service: ApiObject,
    options: {
      readonly slices: readonly ApiObject[];
      readonly contents: readonly Content[];
      readonly time: string | undefined;
    },
  ): Steps<void> {
    const { contents, time } = options;
    const resource = this.#setting.registry.builtIn('discovery.k8s.io/v1/endpointslices');
    const labels = labelsOf(service);
    const free = new FreeSlices();
    for (const slice of options.slices) {
      free.add(slice);
      yield;
    }
    const places: { readonly content: Content; readonly slice: ApiObject | undefined }[] = [];
    for (const content of contents) {
      places.push({ content, slice: free.takeMatching(content) });
      yield;
    }
    for (const { content, slice: matching } of places) {
      const slice = matching ?? free.takeAny();
      if (slice !== undefined && isCurrent(slice, { content, labels, isMatching: matching !== undefined })) continue;
      const body = sliceOf(service, { content, slice, time, labels });
      yield;
      yield* createOrReplace(resource, slice?.metadata, { body, name: this.name });
    }
    for (const { metadata } of free) {
      const preconditions = { uid: metadata.uid };
      yield* resource.deleteSteps(metadata, { preconditions }, controllerContext(this.name, 'delete'));
    }
  }
}

/** Indexes the EndpointSlices of a Service that have no content assigned yet, by the ports and the endpoints of the slices. */
class FreeSlices {
  readonly #all = new Set<ApiObject>();
  readonly #byPorts = new Map<string, Set<ApiObject>>();
  readonly #byEndpoint = new Map<string, ApiObject[]>();

  add(slice: ApiObject): void {
    this.#all.add(slice);
    const key = portsKeyOf(slice);
    const same = this.#byPorts.get(key) ?? new Set<ApiObject>();
    this.#byPorts.set(key, same.add(slice));
    for (const endpoint of objectsAt(slice, 'endpoints')) {
      const uid = uidOf(endpoint);
      const holders = this.#byEndpoint.get(uid);
      if (holders === undefined) this.#byEndpoint.set(uid, [slice]);
      else holders.push(slice);
    }
  }

  /**
   * Removes and returns the unused slice that has the ports of the content and the most endpoints of the content. Returns undefined if no
   * unused slice has these ports.
   */
  takeMatching({ portsKey: key, endpoints }: Content): ApiObject | undefined {
    const slices = this.#byPorts.get(key);
    if (slices === undefined) return undefined;
    const shared = new Map([...slices].map((slice) => [slice, 0]));
    for (const endpoint of endpoints) {
      for (const slice of this.#byEndpoint.get(uidOf(endpoint)) ?? []) {
        const count = shared.get(slice);
        if (count !== undefined) shared.set(slice, count + 1);
      }
    }
    let best: ApiObject | undefined;
    for (const [slice, count] of shared) {
      if (best === undefined || count > (shared.get(best) ?? 0)) best = slice;
    }
    if (best === undefined) return undefined;
    slices.delete(best);
    this.#all.delete(best);
    return best;
  }

  /** Removes and returns the first slice. */
  takeAny(): ApiObject | undefined {
    const [first] = this.#all;
    if (first !== undefined) this.#all.delete(first);
    return first;
  }

  [Symbol.iterator](): Iterator<ApiObject> {
    return this.#all.values();
  }
}

function uidOf(endpoint: JsonDraft): string {
  return stringAt(endpoint, 'targetRef', 'uid');
}

function isCurrent(
  slice: ApiObject,
  { content, labels, isMatching }: { readonly content: Content; readonly labels: object; readonly isMatching: boolean },
): boolean {
  return (
    isMatching &&
    deepEqual(slice['endpoints'] ?? [], content.endpoints) &&
    deepEqual(slice.metadata.labels ?? {}, labels)
  );
}

function sliceOf(
  service: ApiObject,
  {
    content,
    slice,
    time,
    labels,
  }: {
    readonly content: Content;
    readonly slice: ApiObject | undefined;
    readonly time: string | undefined;
    readonly labels: object;
  },
): object {
  const annotations = withChangeTime(slice?.metadata.annotations, time);
  const { name, namespace } = service.metadata;
  const made = { generateName: `${name}-`, namespace, ownerReferences: [controllerReference(service)] };
  const { annotations: _, ...known } = slice?.metadata ?? {};
  const metadata = slice === undefined ? made : known;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      ...metadata,
      labels,
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    addressType: 'IPv4',
    endpoints: content.endpoints,
    ports: content.ports,
  };
}

function labelsOf(service: ApiObject): Readonly<Record<string, string>> {
  return { ...inheritedLabels(service), [serviceName]: service.metadata.name, [managedBy]: manager };
}

/**
 * Returns the contents of the slices of a Service, in steps. Pods with the same ports share slices. If no Pod has an address, returns the
 * content of one empty slice.
 */
function* contentsOf(service: ApiObject, pods: readonly ApiObject[]): Steps<readonly Content[]> {
  const portsOf = portLists(service);
  const groups = new Map<readonly JsonDraft[], JsonDraft[]>();
  for (const [at, pod] of pods.entries()) {
    if (at % podsPerStep === podsPerStep - 1) yield;
    if (!hasAddress(pod)) continue;
    const ports = portsOf(pod);
    const endpoints = groups.get(ports) ?? [];
    groups.set(ports, endpoints);
    endpoints.push(endpointOf(service, pod));
  }
  const contents: Content[] = [];
  for (const [list, endpoints] of groups) {
    const ports = list.length === 0 ? null : list;
    const key = portsKey(ports);
    for (let from = 0; from < endpoints.length; from += mostEndpoints) {
      contents.push({ ports, portsKey: key, endpoints: endpoints.slice(from, from + mostEndpoints) });
    }
    yield;
  }
  return contents.length === 0 ? [{ ports: null, portsKey: portsKey(null), endpoints: [] }] : contents;
}

function endpointOf(service: ApiObject, pod: ApiObject): JsonDraft {
  const serving = isReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const always = objectAt(service, 'spec')['publishNotReadyAddresses'] === true;
  return {
    addresses: [stringAt(pod, 'status', 'podIP')],
    conditions: { ready: always || (serving && !terminating), serving, terminating },
    ...endpointPod(service, pod),
  };
}
