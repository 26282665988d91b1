import type { Steps } from '@kubewright/api/apply';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { numberAt, objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import { isFinished } from '../../objects/pod-state.js';
import { containersAndSidecars } from '../../objects/sidecars.js';

/** Returns whether a Service has a selector and is not of the type ExternalName. */
export function selectsPods(service: ApiObject): boolean {
  const selector = objectAt(service, 'spec')['selector'];
  return selector !== undefined && stringAt(service, 'spec', 'type') !== 'ExternalName';
}

const headlessLabel = 'service.kubernetes.io/headless';
const selectors = new WeakMap<ApiObject, readonly (readonly [string, unknown])[]>();
/** The number of Pods that one step reads. */
export const podsPerStep = 10;
/** The number of Pod labels that one step compares. */
const labelsPerStep = 10_000;

/** Returns whether a Service selects the Pod. */
export function selects(service: ApiObject, { metadata }: ApiObject): boolean {
  return selectorOf(service).every(([name, value]) => metadata.labels?.[name] === value);
}

/** Returns the Pods that the Service selects, in steps. */
export function* selectedPods(service: ApiObject, pods: readonly ApiObject[]): Steps<readonly ApiObject[]> {
  const most = 1 + selectorOf(service).length;
  const selected: ApiObject[] = [];
  let compared = 0;
  for (const pod of pods) {
    if (selects(service, pod)) selected.push(pod);
    compared += most;
    if (compared < labelsPerStep) continue;
    compared = 0;
    yield;
  }
  return selected;
}

/** Returns the selector of a Service as a list. Caches the list, because the selector is compared with many Pods. */
function selectorOf(service: ApiObject): readonly (readonly [string, unknown])[] {
  const known = selectors.get(service);
  if (known !== undefined) return known;
  const selector = Object.entries(objectAt(service, 'spec', 'selector'));
  selectors.set(service, selector);
  return selector;
}

/** Returns whether a Service is headless. */
export function isHeadless(service: ApiObject): boolean {
  const ip = stringAt(service, 'spec', 'clusterIP');
  return ip === '' || ip === 'None';
}

/** Returns the labels that the EndpointSlices and Endpoints of a Service inherit from the Service. */
export function inheritedLabels(service: ApiObject): Readonly<Record<string, string>> {
  const { [headlessLabel]: _, ...labels } = service.metadata.labels ?? {};
  return isHeadless(service) ? { ...labels, [headlessLabel]: '' } : labels;
}

/** Returns the fields of an endpoint that identify its Pod, with the host name of the Pod in the domain of the Service. */
export function endpointPod(service: ApiObject, pod: ApiObject): JsonDraft {
  const { name, namespace, uid } = pod.metadata;
  const nodeName = stringAt(pod, 'spec', 'nodeName');
  const hostname = hostnameOf(service, pod);
  return {
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === '' ? {} : { nodeName }),
    targetRef: { kind: 'Pod', namespace, name, uid },
  };
}

/** Returns whether the Pod has an IP address and is not finished, so that the Pod can receive traffic. */
export function hasAddress(pod: ApiObject): boolean {
  return !isFinished(pod) && stringAt(pod, 'status', 'podIP') !== '';
}

/** Returns the Pod's ports for the ports of the Service. Omits named ports that the Pod does not have. */
export function portsOf(service: ApiObject, pod: ApiObject): readonly JsonDraft[] {
  const named = namedPorts(pod);
  return objectsAt(service, 'spec', 'ports').flatMap((port) => {
    const protocol = stringAt(port, 'protocol') || 'TCP';
    const { targetPort } = port;
    const number = typeof targetPort === 'number' ? targetPort : named.get(JSON.stringify([targetPort, protocol]));
    if (number === undefined) return [];
    const { appProtocol } = port;
    return [
      {
        name: stringAt(port, 'name'),
        port: number,
        protocol,
        ...(appProtocol === undefined ? {} : { appProtocol }),
      },
    ];
  });
}

/**
 * Returns a function that returns the result of `portsOf` for a Pod. For Pods with the same ports, the function returns the same array, so
 * that callers can group Pods by this array.
 */
export function portLists(service: ApiObject): (pod: ApiObject) => readonly JsonDraft[] {
  const names = objectsAt(service, 'spec', 'ports')
    .filter(({ targetPort }) => typeof targetPort !== 'number')
    .map((port) => JSON.stringify([port['targetPort'], stringAt(port, 'protocol') || 'TCP']));
  const lists = new Map<string, readonly JsonDraft[]>();
  return (pod) => {
    const numbers = names.length === 0 ? undefined : namedPorts(pod);
    const key = names.map((name) => numbers?.get(name) ?? '').join(' ');
    const known = lists.get(key);
    if (known !== undefined) return known;
    const ports = portsOf(service, pod);
    lists.set(key, ports);
    return ports;
  };
}

/** Returns the host name of the Pod if the subdomain of the Pod is the name of the Service, and undefined otherwise. */
function hostnameOf(service: ApiObject, pod: ApiObject): string | undefined {
  const hostname = stringAt(pod, 'spec', 'hostname');
  return hostname !== '' && stringAt(pod, 'spec', 'subdomain') === service.metadata.name ? hostname : undefined;
}

/**
 * Returns the numbers of the ports of a Pod by name and protocol. If several ports have the same name and protocol, returns the first port.
 */
function namedPorts(pod: ApiObject): ReadonlyMap<string, number | undefined> {
  const ports = containersAndSidecars(pod).flatMap((container) => objectsAt(container, 'ports'));
  const numbers = ports.map((port) => {
    const { name, protocol = 'TCP' } = port;
    return [JSON.stringify([name, protocol]), numberAt(port, 'containerPort')] as const;
  });
  return new Map(numbers.toReversed());
}
