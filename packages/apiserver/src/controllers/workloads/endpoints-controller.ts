import { ApiError } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import { type ApiObject, type JsonDraft, objectAt, stringAt } from '../../registry/json-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../controller.js';
import { controllerContext } from '../controller-context.js';
import { parseKey } from '../object-reference.js';
import type { FeedEvent } from '../resource-feed.js';
import { ChangeTimes, changeTimeAnnotation } from './change-times.js';
import { isNamespaceTerminating } from './pod-control.js';
import { isReady } from './pod-state.js';
import { ServiceObserver } from './service-observer.js';
import { hasAddress, hostnameOf, isHeadless, portsOf, selects, selectsPods } from './service-pods.js';

const mostAddresses = 1000;
const overCapacity = 'endpoints.kubernetes.io/over-capacity';
const headlessLabel = 'service.kubernetes.io/headless';

/** Keeps the Endpoints of each Service that chooses Pods. */
export class EndpointsController implements Controller {
  readonly name = 'endpoint-controller';
  readonly #setting: ControllerSetting;
  readonly #observer: ServiceObserver;
  readonly #times = new ChangeTimes();

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
    this.#observer = new ServiceObserver(setting.index);
  }

  observe(event: FeedEvent, queue: KeyQueue): void {
    this.#observer.observe(event, queue);
  }

  sync(key: string): void {
    const { registry, index } = this.#setting;
    const at = parseKey(key);
    const service = registry.builtIn('/v1/services').find(at);
    const endpoints = registry.builtIn('/v1/endpoints');
    const known = endpoints.find(at);
    if (service === undefined) {
      if (known !== undefined) endpoints.delete(at, {}, controllerContext(this.name, 'delete'));
      this.#times.forget(key);
      return;
    }
    if (!selectsPods(service)) return;
    const pods = index.inNamespace('/pods', at.namespace).filter((pod) => selects(service, pod));
    const time = this.#times.since(key, service, pods);
    const subsets = subsetsOf(service, pods);
    const labels = labelsOf(service);
    if (
      known !== undefined &&
      deepEqual(known['subsets'] ?? [], subsets) &&
      deepEqual(known.metadata.labels ?? {}, labels)
    ) {
      return;
    }
    this.#write({ at, known, service }, { subsets, labels, time });
  }

  #write(
    { at, known, service }: { at: ReturnType<typeof parseKey>; known: ApiObject | undefined; service: ApiObject },
    { subsets, labels, time }: { subsets: readonly JsonDraft[]; labels: object; time: string | undefined },
  ): void {
    const endpoints = this.#setting.registry.builtIn('/v1/endpoints');
    const { [changeTimeAnnotation]: _, [overCapacity]: __, ...kept } = known?.metadata.annotations ?? {};
    const cut = truncated(subsets);
    const annotations = {
      ...kept,
      ...(time === undefined ? {} : { [changeTimeAnnotation]: time }),
      ...(cut === subsets ? {} : { [overCapacity]: 'truncated' }),
    };
    const metadata = { ...known?.metadata, ...at, labels, annotations };
    const body = { apiVersion: 'v1', kind: 'Endpoints', metadata, ...(cut.length === 0 ? {} : { subsets: cut }) };
    try {
      if (known === undefined) endpoints.create(body, controllerContext(this.name, 'create'));
      else endpoints.update(at, () => body, controllerContext(this.name, 'update'));
    } catch (error) {
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
  const { [headlessLabel]: _, ...labels } = service.metadata.labels ?? {};
  return {
    ...labels,
    ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
    'endpoints.kubernetes.io/managed-by': 'endpoint-controller',
  };
}

/** The Pods behind a Service, those with the same ports together. */
function subsetsOf(service: ApiObject, pods: readonly ApiObject[]): readonly JsonDraft[] {
  const always = objectAt(service, 'spec')['publishNotReadyAddresses'] === true;
  const groups = new Map<string, { ports: readonly JsonDraft[]; ready: JsonDraft[]; notReady: JsonDraft[] }>();
  for (const pod of pods) {
    if (!hasAddress(pod) || (pod.metadata.deletionTimestamp !== undefined && !always)) continue;
    const ports = portsOf(service, pod).map(({ name, ...port }) => (name === '' ? port : { name, ...port }));
    if (ports.length === 0 && !(isHeadless(service) && objectAt(service, 'spec')['ports'] === undefined)) continue;
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, ready: [], notReady: [] };
    groups.set(key, group);
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

function addressOf(service: ApiObject, pod: ApiObject): JsonDraft {
  const { name, namespace, uid } = pod.metadata;
  const nodeName = stringAt(pod, 'spec', 'nodeName');
  const hostname = hostnameOf(service, pod);
  return {
    ip: stringAt(pod, 'status', 'podIP'),
    ...(nodeName === '' ? {} : { nodeName }),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(hostname === undefined ? {} : { hostname }),
  };
}

function sorted(addresses: readonly JsonDraft[]): readonly JsonDraft[] {
  return addresses.toSorted((a, b) => (stringAt(a, 'ip') < stringAt(b, 'ip') ? -1 : 1));
}

/** The subsets as they are, or as many of their addresses as fit into one object. */
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
