import { dns1123LabelErrors } from '@kubewright/api/names';
import type { FieldError } from '@kubewright/api/schema';
import type { Store } from '../../../storage/store.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { copyJson, madeAt, numberAt, objectAt, objectsAt, stringAt, textsAt } from '../../objects/json-object.js';
import { deepEqual } from '@kubewright/api/patch';
import type { Strategy } from '../../definitions/strategy.js';
import { fill } from '../rules/field-checks.js';
import { ServiceAddresses } from './service/service-addresses.js';
import { serviceCells } from './service/service-cells.js';
import { serviceQuota } from './service/service-quota.js';
import {
  allocationErrors,
  hasHealthCheck,
  isExternal,
  serviceErrors,
  serviceStatusErrors,
  serviceUpdateErrors,
  serviceWarnings,
} from './service/service-rules.js';

const affinitySeconds = 10_800;

/**
 * The strategy for Services. Each Service has a unique and immutable cluster IP, except for headless Services and the type ExternalName.
 */
export function serviceStrategy(store: Store): Partial<Strategy> {
  const addresses = new ServiceAddresses(store);
  // The server first checks the families and the form of the addresses. The server checks the addresses and ports for conflicts only if
  // the Service has no other errors.
  const withConflicts = (errors: readonly FieldError[], service: ApiObject): readonly FieldError[] =>
    errors.length > 0 ? errors : addresses.conflicts(service);
  return {
    ownRules: true,
    deletionRules: { returnsObject: true },
    storageFolder: 'services/specs',
    allowCreateOnUpdate: true,
    selectableFields: ['spec.clusterIP', 'spec.type'],
    quotaRules: serviceQuota,
    nameErrors: dns1123LabelErrors,
    defaults: defaultService,
    initialStatus: () => ({ loadBalancer: {} }),
    prepareForCreate: (draft) => {
      draft['status'] = { loadBalancer: {} };
      const spec = madeAt(draft, 'spec');
      normalizeAddresses(spec, {});
      allocate(spec, addresses);
      addresses.claim(draft);
    },
    prepareForUpdate: (draft, old) => {
      const spec = madeAt(draft, 'spec');
      const before = objectAt(old, 'spec');
      normalizeAddresses(spec, before);
      keepAllocated(spec, before);
      dropOfOtherType(spec, before);
      if (spec['type'] !== 'LoadBalancer') madeAt(draft, 'status')['loadBalancer'] = {};
      allocate(spec, addresses);
      addresses.claim(draft);
    },
    release: (uid) => addresses.release(uid),
    validate: (service) => {
      const errors = allocationErrors(service);
      return errors.length > 0 ? errors : withConflicts(serviceErrors(service), service);
    },
    validateUpdate: (next, old) => {
      const errors = allocationErrors(next);
      if (errors.length > 0) return errors;
      return withConflicts([...serviceUpdateErrors(next, old), ...serviceErrors(next)], next);
    },
    validateStatusUpdate: serviceStatusErrors,
    warnings: serviceWarnings,
    cells: serviceCells,
  };
}

function defaultService(draft: JsonDraft): void {
  const spec = madeAt(draft, 'spec');
  fill(spec, { sessionAffinity: 'None', type: 'ClusterIP' });
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig'];
  if (spec['sessionAffinity'] === 'ClientIP') {
    const seconds = numberAt(spec, 'sessionAffinityConfig', 'clientIP', 'timeoutSeconds');
    spec['sessionAffinityConfig'] = { clientIP: { timeoutSeconds: seconds ?? affinitySeconds } };
  }
  for (const port of objectsAt(spec, 'ports')) {
    fill(port, { protocol: 'TCP' });
    if (port['targetPort'] === undefined || port['targetPort'] === 0 || port['targetPort'] === '') {
      port['targetPort'] = port['port'];
    }
  }
  const { type } = spec;
  if (isExternal(spec)) fill(spec, { externalTrafficPolicy: 'Cluster' });
  if (type === 'LoadBalancer') spec['allocateLoadBalancerNodePorts'] ??= true;
  if (type !== 'ExternalName') spec['internalTrafficPolicy'] ??= 'Cluster';
  if (type !== 'LoadBalancer') return;
  for (const ingress of objectsAt(draft, 'status', 'loadBalancer', 'ingress')) {
    if (stringAt(ingress, 'ip') !== '') ingress['ipMode'] ??= 'VIP';
  }
}

/**
 * Sets `clusterIPs` to the value of `clusterIP` if a request sets or changes only `clusterIP`. Removes `clusterIPs` if an update removes
 * only `clusterIP`.
 */
function normalizeAddresses(spec: JsonDraft, old: JsonDraft): void {
  const address = stringAt(spec, 'clusterIP');
  const listed = textsAt(spec, 'clusterIPs');
  const before = stringAt(old, 'clusterIP');
  const unchanged = listed.length > 0 && deepEqual(listed, textsAt(old, 'clusterIPs'));
  if (address === '' && before !== '' && unchanged) delete spec['clusterIPs'];
  else if (address !== '' && (listed.length === 0 || (unchanged && address !== before))) spec['clusterIPs'] = [address];
}

function allocate(spec: JsonDraft, addresses: ServiceAddresses): void {
  const { type } = spec;
  if (type === 'ExternalName') return;
  if (stringAt(spec, 'clusterIP') === '' && textsAt(spec, 'clusterIPs').length === 0) {
    spec['clusterIP'] = addresses.nextClusterIp();
    spec['clusterIPs'] = [spec['clusterIP']];
  }
  const anywhere = spec['clusterIP'] === 'None' && Object.keys(objectAt(spec, 'selector')).length === 0;
  spec['ipFamilyPolicy'] ??= anywhere ? 'RequireDualStack' : 'SingleStack';
  spec['ipFamilies'] ??= anywhere ? ['IPv4', 'IPv6'] : ['IPv4'];
  const nextNodePort = addresses.nodePorts(objectsAt(spec, 'ports').map((port) => port['nodePort']));
  if (hasHealthCheck(spec) && !spec['healthCheckNodePort']) spec['healthCheckNodePort'] = nextNodePort();
  const opens = type === 'NodePort' || (type === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false);
  if (!opens) return;
  for (const port of objectsAt(spec, 'ports')) {
    if (!port['nodePort']) port['nodePort'] = nextNodePort();
  }
}

/** Restores allocated values that an update omits. */
function keepAllocated(spec: JsonDraft, old: JsonDraft): void {
  if (spec['type'] !== 'ExternalName' && old['type'] !== 'ExternalName' && !spec['clusterIP']) {
    const given = textsAt(spec, 'clusterIPs').length > 0;
    if (!given) {
      spec['clusterIP'] = old['clusterIP'];
      spec['clusterIPs'] = copyJson(old['clusterIPs']);
    }
    spec['ipFamilies'] ??= copyJson(old['ipFamilies']);
    spec['ipFamilyPolicy'] ??= old['ipFamilyPolicy'];
  }
  if (hasHealthCheck(spec) && hasHealthCheck(old)) spec['healthCheckNodePort'] ??= old['healthCheckNodePort'];
  if (!hasNodePorts(spec) || !hasNodePorts(old)) return;
  const used = new Set(objectsAt(spec, 'ports').map((port) => port['nodePort']));
  const socket = ({ port, protocol }: JsonDraft): string => JSON.stringify([port, protocol]);
  // If several ports have the same number and protocol, the first port is used.
  const known = new Map(
    objectsAt(old, 'ports')
      .map((port) => [socket(port), port['nodePort']] as const)
      .toReversed(),
  );
  for (const port of objectsAt(spec, 'ports')) {
    const nodePort = known.get(socket(port));
    if (nodePort && !port['nodePort'] && !used.has(nodePort)) port['nodePort'] = nodePort;
  }
}

function hasNodePorts({ type }: JsonDraft): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

/** Removes unchanged fields that belong to the previous type of the Service. */
function dropOfOtherType(spec: JsonDraft, old: JsonDraft): void {
  const drop = (...fields: readonly string[]): void => {
    for (const field of fields) if (deepEqual(spec[field], old[field])) delete spec[field];
  };
  if (old['type'] !== 'ExternalName' && spec['type'] === 'ExternalName') {
    drop('clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy');
  }
  if (hasNodePorts(old) && !hasNodePorts(spec)) {
    const known = new Set(objectsAt(old, 'ports').map((port) => port['nodePort']));
    const ports = objectsAt(spec, 'ports');
    if (ports.every(({ nodePort }) => !nodePort || known.has(nodePort)))
      for (const port of ports) delete port['nodePort'];
  }
  if (hasHealthCheck(old) && !hasHealthCheck(spec)) drop('healthCheckNodePort');
  if (old['type'] === 'LoadBalancer' && spec['type'] !== 'LoadBalancer') {
    drop('allocateLoadBalancerNodePorts', 'loadBalancerClass');
  }
  if (isExternal(old) && !isExternal(spec)) drop('externalTrafficPolicy');
}
