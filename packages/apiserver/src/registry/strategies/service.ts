import { dns1035LabelErrors, dns1123LabelErrors, dns1123SubdomainErrors } from '@kubewright/api/names';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { Store } from '../../storage/store.js';
import {
  type ApiObject,
  copyJson,
  type JsonDraft,
  madeAt,
  objectAt,
  objectsAt,
  stringAt,
  valueAt,
} from '../json-object.js';
import type { Strategy } from '../strategy.js';
import { oneOf, portErrors } from './pod-spec-validation.js';
import { serviceCells } from './service-cells.js';
import { ServiceAddresses } from './service-addresses.js';

const types = ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'];
const protocols = ['SCTP', 'TCP', 'UDP'];

/** Services: every one but ExternalName gets an address of the cluster that no other has, and keeps it. */
export function serviceStrategy(store: Store): Partial<Strategy> {
  const addresses = new ServiceAddresses(store);
  return {
    selectableFields: ['spec.clusterIP', 'spec.type'],
    nameErrors: dns1035LabelErrors,
    defaults: defaultService,
    prepareForCreate: (draft) => {
      draft['status'] = { loadBalancer: {} };
      allocate(madeAt(draft, 'spec'), addresses);
    },
    prepareForUpdate: (draft, old) => {
      const spec = madeAt(draft, 'spec');
      keepAllocated(spec, objectAt(old, 'spec'));
      allocate(spec, addresses);
    },
    validate: (service) => [...serviceErrors(service), ...addresses.conflicts(service)],
    validateUpdate: addressUpdateErrors,
    cells: serviceCells,
  };
}

function defaultService(draft: JsonDraft): void {
  const spec = madeAt(draft, 'spec');
  spec['sessionAffinity'] ??= 'None';
  if (spec['sessionAffinity'] === 'ClientIP') {
    madeAt(spec, 'sessionAffinityConfig', 'clientIP')['timeoutSeconds'] ??= 10_800;
  }
  spec['type'] ??= 'ClusterIP';
  for (const port of objectsAt(spec, 'ports')) {
    port['protocol'] ??= 'TCP';
    if (port['targetPort'] === undefined || port['targetPort'] === 0 || port['targetPort'] === '') {
      port['targetPort'] = port['port'];
    }
  }
  const { type } = spec;
  if (type === 'NodePort' || type === 'LoadBalancer') spec['externalTrafficPolicy'] ??= 'Cluster';
  if (type === 'LoadBalancer') spec['allocateLoadBalancerNodePorts'] ??= true;
  if (type !== 'ExternalName') spec['internalTrafficPolicy'] ??= 'Cluster';
}

function allocate(spec: JsonDraft, addresses: ServiceAddresses): void {
  const { type } = spec;
  if (type === 'ExternalName') return;
  const wanted =
    stringAt(spec, 'clusterIP') || String((valueAt(spec, 'clusterIPs') as unknown[] | undefined)?.[0] ?? '');
  const clusterIP = wanted === '' ? addresses.nextClusterIp() : wanted;
  spec['clusterIP'] = clusterIP;
  spec['clusterIPs'] ??= [clusterIP];
  spec['ipFamilies'] ??= ['IPv4'];
  spec['ipFamilyPolicy'] ??= 'SingleStack';
  const needsNodePort =
    type === 'NodePort' || (type === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false);
  if (!needsNodePort) return;
  const taken = new Set<unknown>(objectsAt(spec, 'ports').map((port) => port['nodePort']));
  for (const port of objectsAt(spec, 'ports')) {
    if (!port['nodePort']) {
      port['nodePort'] = addresses.nextNodePort(taken);
      taken.add(port['nodePort']);
    }
  }
}

/** What the server gave, an update may leave out. */
function keepAllocated(spec: JsonDraft, old: JsonDraft): void {
  const hasAddress = spec['type'] !== 'ExternalName' && old['type'] !== 'ExternalName';
  if (hasAddress && !spec['clusterIP']) {
    spec['clusterIP'] = old['clusterIP'];
    spec['clusterIPs'] ??= copyJson(old['clusterIPs']);
    spec['ipFamilies'] ??= copyJson(old['ipFamilies']);
    spec['ipFamilyPolicy'] ??= old['ipFamilyPolicy'];
  }
  for (const port of objectsAt(spec, 'ports')) {
    const before = objectsAt(old, 'ports').find(
      (known) => known['port'] === port['port'] && known['protocol'] === port['protocol'],
    );
    if (spec['type'] !== 'ClusterIP' && before?.['nodePort'] && !port['nodePort'])
      port['nodePort'] = before['nodePort'];
  }
}

function serviceErrors(service: ApiObject): readonly FieldError[] {
  const spec = objectAt(service, 'spec');
  const type = stringAt(spec, 'type');
  const ports = objectsAt(spec, 'ports');
  const errors: FieldError[] = [];
  if (ports.length === 0 && type !== 'ExternalName' && spec['clusterIP'] !== 'None') {
    errors.push(fieldErrors.required('spec.ports'));
  }
  if (type === 'ExternalName') errors.push(...externalNameErrors(spec));
  errors.push(...oneOf(spec, 'type', { path: 'spec', allowed: types }));
  errors.push(...oneOf(spec, 'sessionAffinity', { path: 'spec', allowed: ['ClientIP', 'None'] }));
  const names = new Set<string>();
  const numbers = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const path = `spec.ports[${index}]`;
    errors.push(...servicePortErrors(port, { path, needsName: ports.length > 1, names }));
    const number = `${String(port['protocol'])}/${String(port['port'])}`;
    if (numbers.has(number)) {
      errors.push(fieldErrors.duplicate(path, { port: port['port'], protocol: port['protocol'] }));
    }
    numbers.add(number);
  }
  return errors;
}

function externalNameErrors(spec: JsonDraft): readonly FieldError[] {
  const name = stringAt(spec, 'externalName');
  if (name === '') return [fieldErrors.required('spec.externalName')];
  const bare = name.endsWith('.') ? name.slice(0, -1) : name;
  return dns1123SubdomainErrors(bare).map((why) => fieldErrors.invalid('spec.externalName', name, why));
}

function servicePortErrors(
  port: JsonDraft,
  { path, needsName, names }: { readonly path: string; readonly needsName: boolean; readonly names: Set<string> },
): readonly FieldError[] {
  const name = stringAt(port, 'name');
  const errors: FieldError[] = [];
  if (name === '') {
    if (needsName) errors.push(fieldErrors.required(`${path}.name`));
  } else {
    errors.push(...dns1123LabelErrors(name).map((why) => fieldErrors.invalid(`${path}.name`, name, why)));
    if (names.has(name)) errors.push(fieldErrors.duplicate(`${path}.name`, name));
    names.add(name);
  }
  errors.push(...portErrors(port['port'] ?? 0, `${path}.port`));
  errors.push(...oneOf(port, 'protocol', { path, allowed: protocols }));
  if (typeof port['targetPort'] === 'number') errors.push(...portErrors(port['targetPort'], `${path}.targetPort`));
  return errors;
}

function addressUpdateErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const before = stringAt(old, 'spec', 'clusterIP');
  if (before === '' || stringAt(next, 'spec', 'type') === 'ExternalName') return [];
  if (stringAt(next, 'spec', 'clusterIP') === before) return [];
  const addresses = valueAt(next, 'spec', 'clusterIPs');
  return [fieldErrors.invalid('spec.clusterIPs[0]', addresses, 'may not change once set')];
}
