import type { Steps } from '@kubewright/api/apply';
import { ApiError, isConflict } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { objectAt, stringAt } from '../../../registry/objects/json-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import { parseKey } from '../../objects/object-reference.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { withChangeTime } from './change-times.js';
import { isNamespaceTerminating } from '../pods/pod-control.js';
import { isReady } from '../../objects/pod-state.js';
import { createOrReplace } from './create-or-replace.js';
import { ServiceObserver } from './service-observer.js';
import {
  hasAddress,
  endpointPod,
  inheritedLabels,
  isHeadless,
  podsPerStep,
  portLists,
  selectsPods,
} from './service-pods.js';

const mostAddresses = 1000;
const overCapacity = 'endpoints.kubernetes.io/over-capacity';

/** Maintains the Endpoints of each Service that has a selector. */
export class EndpointsController implements Controller {
  readonly name = 'endpoint-controller';
  readonly #setting: ControllerSetting;
  readonly #observer: ServiceObserver;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
    this.#observer = new ServiceObserver(setting.index);
  }

  observe(event: FeedEvent, queue: KeyQueue): void {
    this.#observer.observe(event, queue);
  }

  *sync(key: string): Steps<void> {
    const { registry } = this.#setting;
    const at = parseKey(key);
    const service = registry.builtIn('/v1/services').find(at);
    const endpoints = registry.builtIn('/v1/endpoints');
    const known = endpoints.find(at);
    if (service === undefined) {
      this.#observer.forget(key);
      if (known !== undefined) yield* endpoints.deleteSteps(at, {}, controllerContext(this.name, 'delete'));
      return;
    }
    if (!selectsPods(service)) return;
    const { pods, time } = yield* this.#observer.read(key, service);
    const subsets = yield* subsetsOf(service, pods);
    const labels = labelsOf(service);
    yield;
    if (
      known !== undefined &&
      deepEqual(known['subsets'] ?? [], subsets) &&
      deepEqual(known.metadata.labels ?? {}, labels)
    ) {
      return;
    }
    yield* this.#write({ at, known, service }, { subsets, labels, time });
  }

  *#write(
    { at, known, service }: { at: ReturnType<typeof parseKey>; known: ApiObject | undefined; service: ApiObject },
    { subsets, labels, time }: { subsets: readonly JsonDraft[]; labels: object; time: string | undefined },
  ): Steps<void> {
    const endpoints = this.#setting.registry.builtIn('/v1/endpoints');
    const { [overCapacity]: _, ...kept } = withChangeTime(known?.metadata.annotations, time);
    const cut = truncated(subsets);
    const annotations = {
      ...kept,
      ...(cut === subsets ? {} : { [overCapacity]: 'truncated' }),
    };
    const metadata = { ...known?.metadata, ...at, labels, annotations };
    const body = { apiVersion: 'v1', kind: 'Endpoints', metadata, ...(cut.length === 0 ? {} : { subsets: cut }) };
    try {
      yield* createOrReplace(endpoints, known && at, { body, name: this.name });
    } catch (error) {
      if (isConflict(error)) throw error;
      if (!(error instanceof ApiError) || isNamespaceTerminating(error)) return;
      const made = known === undefined;
      const subject = `${service.metadata.namespace}/${service.metadata.name}: ${error.message}`;
      const message = made
        ? `Failed to create endpoint for service ${subject}`
        : `Failed to update endpoint ${subject}`;
      const reason = made ? 'FailedToCreateEndpoint' : 'FailedToUpdateEndpoint';
      this.#setting.events.record(known ?? service, { type: 'Warning', reason, message }, { component: this.name });
      throw error;
    }
  }
}

function labelsOf(service: ApiObject): Readonly<Record<string, string>> {
  return { ...inheritedLabels(service), 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' };
}

interface Group {
  readonly ports: readonly JsonDraft[];
  readonly ready: JsonDraft[];
  readonly notReady: JsonDraft[];
}

/** Returns the subsets with the addresses of the Pods, in steps. Pods with the same ports are in the same subset. */
function* subsetsOf(service: ApiObject, pods: readonly ApiObject[]): Steps<readonly JsonDraft[]> {
  const always = objectAt(service, 'spec')['publishNotReadyAddresses'] === true;
  const hasNoPorts = isHeadless(service) && objectAt(service, 'spec')['ports'] === undefined;
  const portsOf = portLists(service);
  const groups = new Map<readonly JsonDraft[], Group>();
  for (const [at, pod] of pods.entries()) {
    if (at % podsPerStep === podsPerStep - 1) yield;
    if (!hasAddress(pod) || (pod.metadata.deletionTimestamp !== undefined && !always)) continue;
    const ports = portsOf(pod);
    if (ports.length === 0 && !hasNoPorts) continue;
    const group = groups.get(ports) ?? { ports: ports.map(withoutEmptyName), ready: [], notReady: [] };
    groups.set(ports, group);
    const address = addressOf(service, pod);
    if (always || isReady(pod)) group.ready.push(address);
    else if (stringAt(pod, 'spec', 'restartPolicy') !== 'Never' || stringAt(pod, 'status', 'phase') !== 'Failed') {
      group.notReady.push(address);
    }
  }
  return [...groups.values()].map(({ ports, ready, notReady }) => ({
    ...(ready.length === 0 ? {} : { addresses: sorted(ready) }),
    ...(notReady.length === 0 ? {} : { notReadyAddresses: sorted(notReady) }),
    ...(ports.length === 0 ? {} : { ports }),
  }));
}

function withoutEmptyName({ name, ...port }: JsonDraft): JsonDraft {
  return name === '' ? port : { name, ...port };
}

function addressOf(service: ApiObject, pod: ApiObject): JsonDraft {
  return { ip: stringAt(pod, 'status', 'podIP'), ...endpointPod(service, pod) };
}

function sorted(addresses: readonly JsonDraft[]): readonly JsonDraft[] {
  return addresses.toSorted((a, b) => (stringAt(a, 'ip') < stringAt(b, 'ip') ? -1 : 1));
}

/** Truncates the subsets to the maximum number of addresses in one Endpoints object. */
function truncated(subsets: readonly JsonDraft[]): readonly JsonDraft[] {
  let room = mostAddresses;
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  const count = subsets.reduce(
    (sum, { addresses, notReadyAddresses }) => sum + list(addresses).length + list(notReadyAddresses).length,
    0,
  );
  if (count <= mostAddresses) return subsets;
  return subsets.map(({ addresses, notReadyAddresses, ...subset }) => {
    const ready = list(addresses).slice(0, room);
    room -= ready.length;
    const notReady = list(notReadyAddresses).slice(0, room);
    room -= notReady.length;
    return {
      ...(ready.length === 0 ? {} : { addresses: ready }),
      ...(notReady.length === 0 ? {} : { notReadyAddresses: notReady }),
      ...subset,
    };
  });
}
