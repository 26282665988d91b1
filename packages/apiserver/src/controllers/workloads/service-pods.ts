import { type ApiObject, type JsonDraft, numberAt, objectAt, objectsAt, stringAt } from '../../registry/json-object.js';
import { isFinished } from './pod-state.js';

/** Whether a Service sends to Pods that it chooses itself. */
export function selectsPods(service: ApiObject): boolean {
  const selector = objectAt(service, 'spec')['selector'];
  return selector !== undefined && stringAt(service, 'spec', 'type') !== 'ExternalName';
}

/** Whether a Service chooses the Pod. */
export function selects(service: ApiObject, { metadata }: ApiObject): boolean {
  const selector = Object.entries(objectAt(service, 'spec', 'selector'));
  return selector.every(([name, value]) => metadata.labels?.[name] === value);
}

/** Whether a Service is without an address of its own. */
export function isHeadless(service: ApiObject): boolean {
  const ip = stringAt(service, 'spec', 'clusterIP');
  return ip === '' || ip === 'None';
}

/** Whether the Pod has an address that can be sent to. */
export function hasAddress(pod: ApiObject): boolean {
  return !isFinished(pod) && stringAt(pod, 'status', 'podIP') !== '';
}

/** The ports of the Pod behind those of the Service; a name that the Pod does not have is left out. */
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

/** The host name of the Pod if it has one below the Service. */
export function hostnameOf(service: ApiObject, pod: ApiObject): string | undefined {
  const hostname = stringAt(pod, 'spec', 'hostname');
  return hostname !== '' && stringAt(pod, 'spec', 'subdomain') === service.metadata.name ? hostname : undefined;
}

/** Returns the numbers of the ports of a Pod by name and protocol. Of several ports with one name, the first one counts. */
function namedPorts(pod: ApiObject): ReadonlyMap<string, number | undefined> {
  const sidecars = objectsAt(pod, 'spec', 'initContainers').filter(({ restartPolicy }) => restartPolicy === 'Always');
  const ports = [...objectsAt(pod, 'spec', 'containers'), ...sidecars].flatMap((container) =>
    objectsAt(container, 'ports'),
  );
  const numbers = ports.map((port) => {
    const { name, protocol = 'TCP' } = port;
    return [JSON.stringify([name, protocol]), numberAt(port, 'containerPort')] as const;
  });
  return new Map(numbers.toReversed());
}
