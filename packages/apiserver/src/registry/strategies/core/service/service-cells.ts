import { age } from '../../../objects/age.js';
import type { ApiObject } from '../../../objects/api-object.js';
import { objectAt, objectsAt, stringAt, valueAt } from '../../../objects/json-object.js';
import { formatSelector } from '../../../objects/format-selector.js';

/** Returns the table row of a Service: name, type, cluster IP, external IP, ports and age. The wide column is the selector. */
export function serviceCells(service: ApiObject, now: Date): readonly unknown[] {
  return [
    service.metadata.name,
    stringAt(service, 'spec', 'type'),
    stringAt(service, 'spec', 'clusterIP') || '<none>',
    externalAddress(service),
    ports(service),
    age(service.metadata.creationTimestamp, now),
    formatSelector({ matchLabels: objectAt(service, 'spec', 'selector') }) || '<none>',
  ];
}

function externalAddress(service: ApiObject): string {
  const type = stringAt(service, 'spec', 'type');
  const listed = valueAt(service, 'spec', 'externalIPs');
  const external = Array.isArray(listed) ? listed.map(String) : [];
  if (type === 'ExternalName') return stringAt(service, 'spec', 'externalName');
  if (type !== 'LoadBalancer') return external.join(',') || '<none>';
  const balanced = objectsAt(service, 'status', 'loadBalancer', 'ingress').map(
    (ingress) => stringAt(ingress, 'ip') || stringAt(ingress, 'hostname'),
  );
  return [...balanced, ...external].join(',') || '<pending>';
}

function ports(service: ApiObject): string {
  const shown = objectsAt(service, 'spec', 'ports').map(({ port, nodePort, protocol }) =>
    nodePort ? `${String(port)}:${String(nodePort)}/${String(protocol)}` : `${String(port)}/${String(protocol)}`,
  );
  return shown.join(',') || '<none>';
}
