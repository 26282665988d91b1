import { isIP } from 'node:net';
import { append } from '@kubewright/api/json';
import { dns1123SubdomainErrors } from '@kubewright/api/names';
import { deepEqual } from '@kubewright/api/patch';
import { errorsOfEach, type FieldError, fieldErrors, labelErrors } from '@kubewright/api/schema';
import type { ApiObject, JsonDraft } from '../../../objects/api-object.js';
import { numberAt, objectAt, objectsAt, stringAt, textsAt } from '../../../objects/json-object.js';
import { portErrors, portReferenceErrors } from '../pod-spec/container-rules.js';
import { each, ipErrors, labelNameErrors, qualifiedErrors, supportedErrors } from '../pod-spec/value-rules.js';
import { endpointAddressErrors } from '../../rules/endpoint-addresses.js';

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const longestAffinity = 86_400;

/** Whether the Service is headless: its only cluster IP is `None`. */
export function isHeadless(spec: JsonDraft): boolean {
  const addresses = textsAt(spec, 'clusterIPs');
  return addresses.length === 1 && addresses[0] === 'None';
}

/** Whether the Service accepts traffic from outside of the cluster. */
export function isExternal(spec: JsonDraft): boolean {
  const { type } = spec;
  return (
    type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && textsAt(spec, 'externalIPs').length > 0)
  );
}

/** Whether the Service needs a health check node port: its type is LoadBalancer, and its externalTrafficPolicy is Local. */
export function hasHealthCheck(spec: JsonDraft): boolean {
  return spec['type'] === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local';
}

/** Returns the errors of a Service. */
export function serviceErrors(service: ApiObject): readonly FieldError[] {
  const spec = objectAt(service, 'spec');
  return [
    ...typeErrors(spec),
    ...portListErrors(spec),
    ...labelErrors(spec['selector'], 'spec.selector'),
    ...affinityErrors(spec),
    ...clusterAddressErrors(spec),
    ...errorsOfEach(textsAt(spec, 'externalIPs'), (ip, index) =>
      externalAddressErrors(ip, `spec.externalIPs[${index}]`),
    ),
    ...supportedErrors(spec['type'], 'spec.type', types),
    ...nodePortErrors(spec),
    ...duplicatePortErrors(spec),
    ...balancerErrors(spec),
    ...trafficErrors(spec),
  ];
}

function externalAddressErrors(ip: string, path: string): readonly FieldError[] {
  const errors = ipErrors(ip, path);
  return errors.length > 0 ? errors : endpointAddressErrors(ip, path);
}

function typeErrors(spec: JsonDraft): readonly FieldError[] {
  const { type } = spec;
  const headless = isHeadless(spec);
  const errors: FieldError[] = [];
  if (objectsAt(spec, 'ports').length === 0 && !headless && type !== 'ExternalName') {
    errors.push(fieldErrors.required('spec.ports'));
  }
  if (headless && (type === 'LoadBalancer' || type === 'NodePort')) {
    const why = `may not be set to 'None' for ${type} services`;
    errors.push(fieldErrors.invalid('spec.clusterIPs[0]', 'None', why));
  }
  if (type !== 'ExternalName') return errors;
  for (const field of ['clusterIPs', 'ipFamilies']) {
    if (textsAt(spec, field).length === 0) continue;
    errors.push(fieldErrors.forbidden(`spec.${field}`, 'may not be set for ExternalName services'));
  }
  if (spec['ipFamilyPolicy'] !== undefined) {
    errors.push(fieldErrors.forbidden('spec.ipFamilyPolicy', 'may not be set for ExternalName services'));
  }
  const name = stringAt(spec, 'externalName').replace(/\.$/, '');
  if (name === '') return [...errors, fieldErrors.required('spec.externalName')];
  return [...errors, ...each(name, 'spec.externalName', dns1123SubdomainErrors)];
}

function portListErrors(spec: JsonDraft): readonly FieldError[] {
  const ports = objectsAt(spec, 'ports');
  const names = new Set<string>();
  return errorsOfEach(ports, (port, index) => {
    const at = `spec.ports[${index}]`;
    const name = stringAt(port, 'name');
    const errors: FieldError[] = [];
    if (name !== '') {
      append(errors, labelNameErrors(name, `${at}.name`));
      if (names.has(name)) errors.push(fieldErrors.duplicate(`${at}.name`, name));
      names.add(name);
    } else if (ports.length > 1) {
      errors.push(fieldErrors.required(`${at}.name`));
    }
    append(errors, portErrors(port['port'] ?? 0, `${at}.port`));
    append(errors, supportedErrors(port['protocol'], `${at}.protocol`, ['SCTP', 'TCP', 'UDP']));
    append(errors, portReferenceErrors(port['targetPort'], `${at}.targetPort`));
    const protocol = port['appProtocol'];
    return typeof protocol === 'string' ? [...errors, ...qualifiedErrors(protocol, `${at}.appProtocol`)] : errors;
  });
}

function affinityErrors(spec: JsonDraft): readonly FieldError[] {
  const affinity = stringAt(spec, 'sessionAffinity');
  const at = 'spec.sessionAffinityConfig';
  if (affinity === 'ClientIP') {
    const seconds = numberAt(spec, 'sessionAffinityConfig', 'clientIP', 'timeoutSeconds') ?? 0;
    if (seconds > 0 && seconds <= longestAffinity) return [];
    const why = `must be greater than 0 and less than ${longestAffinity}`;
    return [fieldErrors.invalid(`${at}.clientIP.timeoutSeconds`, seconds, why)];
  }
  return supportedErrors(affinity, 'spec.sessionAffinity', ['ClientIP', 'None']);
}

/** Returns the errors of the addresses and families of a Service. The server checks these values before all others. */
export function allocationErrors(service: ApiObject): readonly FieldError[] {
  const spec = objectAt(service, 'spec');
  const errors = clusterAddressErrors(spec);
  if (errors.length > 0 || spec['type'] === 'ExternalName') return errors;
  const [policy, at] = [stringAt(spec, 'ipFamilyPolicy'), 'spec.ipFamilyPolicy'];
  const families = textsAt(spec, 'ipFamilies');
  const several = (what: string): FieldError => {
    const why = `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
    return fieldErrors.invalid(at, policy, why);
  };
  if (policy === 'SingleStack') {
    const faults = [
      ...(textsAt(spec, 'clusterIPs').length === 2 ? [several('cluster IPs')] : []),
      ...(families.length === 2 ? [several('IP families')] : []),
    ];
    if (faults.length > 0) return faults;
  }
  if (isHeadless(spec) && Object.keys(objectAt(spec, 'selector')).length === 0) return [];
  return [
    ...(policy === 'RequireDualStack'
      ? [fieldErrors.invalid(at, policy, 'this cluster is not configured for dual-stack services')]
      : []),
    ...families.flatMap((family, index) =>
      family === 'IPv4'
        ? []
        : [fieldErrors.invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')],
    ),
  ];
}

function clusterAddressErrors(spec: JsonDraft): readonly FieldError[] {
  if (spec['type'] === 'ExternalName') return [];
  const at = 'spec.clusterIPs';
  const addresses = textsAt(spec, 'clusterIPs');
  const first = stringAt(spec, 'clusterIP');
  const errors: FieldError[] = [];
  if (first !== '' && addresses[0] !== first) {
    errors.push(fieldErrors.invalid(at, addresses, 'first value must match `clusterIP`'));
  } else if (first === '' && addresses.length > 0) {
    errors.push(fieldErrors.invalid(at, addresses, 'must be empty when `clusterIP` is not specified'));
  }
  append(errors, familyErrors(spec));
  const bad = errorsOfEach(addresses, (ip, index) => {
    if (index === 0 && ip === 'None') {
      return addresses.length > 1
        ? [fieldErrors.invalid(at, addresses, "'None' must be the first and only value")]
        : [];
    }
    return ipErrors(ip, `${at}[${index}]`);
  });
  append(errors, bad);
  if (addresses.length > 2) errors.push(fieldErrors.invalid(at, addresses, 'may only hold up to 2 values'));
  if (bad.length > 0) return errors;
  if (addresses.length > 1 && addresses.filter((ip) => isIP(ip) === 6).length !== 1) {
    errors.push(fieldErrors.invalid(at, addresses, 'may specify no more than one IP for each IP family'));
  }
  for (const [index, family] of textsAt(spec, 'ipFamilies').entries()) {
    const ip = addresses[index];
    if (ip === undefined || ip === 'None' || (isIP(ip) === 6) === (family === 'IPv6')) continue;
    errors.push(
      fieldErrors.invalid(
        `${at}[${index}]`,
        ip,
        `expected an ${family} value as indicated by \`ipFamilies[${index}]\``,
      ),
    );
  }
  return errors;
}

function familyErrors(spec: JsonDraft): readonly FieldError[] {
  const seen = new Set<string>();
  const errors = errorsOfEach(textsAt(spec, 'ipFamilies'), (family, index) => {
    const at = `spec.ipFamilies[${index}]`;
    const own = [...supportedErrors(family, at, ['IPv4', 'IPv6'])];
    if (seen.has(family)) own.push(fieldErrors.duplicate(at, family));
    seen.add(family);
    return own;
  });
  const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
  return [...errors, ...supportedErrors(spec['ipFamilyPolicy'], 'spec.ipFamilyPolicy', policies)];
}

function nodePortErrors(spec: JsonDraft): readonly FieldError[] {
  const ports = objectsAt(spec, 'ports');
  const errors: FieldError[] = [];
  if (spec['type'] === 'ClusterIP') {
    for (const [index, port] of ports.entries()) {
      if (!port['nodePort']) continue;
      const why = "may not be used when `type` is 'ClusterIP'";
      errors.push(fieldErrors.forbidden(`spec.ports[${index}].nodePort`, why));
    }
  }
  const taken = new Set<string>();
  for (const [index, port] of ports.entries()) {
    if (!port['nodePort']) continue;
    const key = `${String(port['protocol'])}/${String(port['nodePort'])}`;
    if (taken.has(key)) errors.push(fieldErrors.duplicate(`spec.ports[${index}].nodePort`, port['nodePort']));
    taken.add(key);
  }
  return errors;
}

function duplicatePortErrors(spec: JsonDraft): readonly FieldError[] {
  const taken = new Set<string>();
  return objectsAt(spec, 'ports').flatMap((port, index) => {
    const key = `${String(port['protocol'])}/${String(port['port'])}`;
    if (!taken.has(key)) {
      taken.add(key);
      return [];
    }
    const { protocol: Protocol, port: Port } = port;
    const shown = JSON.stringify({ Name: '', Protocol, AppProtocol: null, Port, TargetPort: 0, NodePort: 0 });
    return [{ reason: 'FieldValueDuplicate', field: `spec.ports[${index}]`, message: `Duplicate value: ${shown}` }];
  });
}

function balancerErrors(spec: JsonDraft): readonly FieldError[] {
  const balanced = spec['type'] === 'LoadBalancer';
  const why = "may only be used when `type` is 'LoadBalancer'";
  const errors: FieldError[] = [];
  const ranges = textsAt(spec, 'loadBalancerSourceRanges');
  if (ranges.length > 0 && !balanced) errors.push(fieldErrors.forbidden('spec.LoadBalancerSourceRanges', why));
  for (const [index, range] of ranges.entries()) {
    const [ip = '', bits = ''] = range.trim().split('/');
    const fits = /^\d+$/.test(bits) && Number(bits) <= (isIP(ip) === 6 ? 128 : 32);
    if (isIP(ip) !== 0 && fits) continue;
    const rule = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
    errors.push(fieldErrors.invalid(`spec.LoadBalancerSourceRanges[${index}]`, range.trim(), rule));
  }
  if (spec['allocateLoadBalancerNodePorts'] !== undefined && !balanced) {
    errors.push(fieldErrors.forbidden('spec.allocateLoadBalancerNodePorts', why));
  }
  const name = spec['loadBalancerClass'];
  if (name === undefined) return errors;
  if (!balanced) return [...errors, fieldErrors.forbidden('spec.loadBalancerClass', why)];
  return [...errors, ...qualifiedErrors(String(name), 'spec.loadBalancerClass')];
}

function trafficErrors(spec: JsonDraft): readonly FieldError[] {
  const errors: FieldError[] = [];
  const policy = spec['externalTrafficPolicy'];
  const at = 'spec.externalTrafficPolicy';
  if (!isExternal(spec)) {
    const why = 'may only be set for externally-accessible services';
    if (policy !== undefined) errors.push(fieldErrors.invalid(at, policy, why));
  } else if (policy === undefined) {
    errors.push(fieldErrors.required(at));
  } else {
    append(errors, supportedErrors(policy, at, ['Cluster', 'Local']));
  }
  const health = spec['healthCheckNodePort'];
  if (health && !hasHealthCheck(spec)) {
    const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    errors.push(fieldErrors.invalid('spec.healthCheckNodePort', health, why));
  } else if (health) {
    append(errors, portErrors(health, 'spec.healthCheckNodePort'));
  }
  append(errors, supportedErrors(spec['internalTrafficPolicy'], 'spec.internalTrafficPolicy', ['Cluster', 'Local']));
  const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
  return [...errors, ...supportedErrors(spec['trafficDistribution'], 'spec.trafficDistribution', distributions)];
}

/** Returns the errors of an update that changes immutable fields of a Service. */
export function serviceUpdateErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const after = objectAt(next, 'spec');
  const before = objectAt(old, 'spec');
  const errors: FieldError[] = [];
  const addressed = after['type'] !== 'ExternalName' && before['type'] !== 'ExternalName';
  if (addressed && !(isHeadless(after) && isHeadless(before))) append(errors, addressUpdateErrors(after, before));
  if (addressed && isHeadless(after) === isHeadless(before) && !isHeadless(after)) {
    const families = textsAt(after, 'ipFamilies');
    const known = textsAt(before, 'ipFamilies');
    if (known.length > 0 && families[0] !== known[0]) {
      errors.push(fieldErrors.invalid('spec.ipFamilies[0]', families, 'may not change once set'));
    }
  }
  if (after['type'] === 'LoadBalancer' && before['type'] === 'LoadBalancer') {
    const name = after['loadBalancerClass'];
    if (!deepEqual(name, before['loadBalancerClass'])) {
      errors.push(fieldErrors.invalid('spec.loadBalancerClass', name ?? null, 'may not change once set'));
    }
  }
  if (
    hasHealthCheck(before) &&
    hasHealthCheck(after) &&
    before['healthCheckNodePort'] !== after['healthCheckNodePort']
  ) {
    errors.push(fieldErrors.forbidden('spec.healthCheckNodePort', 'field is immutable'));
  }
  return errors;
}

function addressUpdateErrors(after: JsonDraft, before: JsonDraft): readonly FieldError[] {
  const addresses = textsAt(after, 'clusterIPs');
  const known = textsAt(before, 'clusterIPs');
  if (known.length > 0 && addresses.length === 0) {
    return [fieldErrors.invalid('spec.clusterIPs[0]', addresses, 'primary clusterIP can not be unset')];
  }
  return errorsOfEach(known, (ip, index) =>
    addresses[index] === undefined || addresses[index] === ip
      ? []
      : [fieldErrors.invalid(`spec.clusterIPs[${index}]`, addresses, 'may not change once set')],
  );
}

/** Returns the errors of a Service status update. */
export function serviceStatusErrors(next: ApiObject): readonly FieldError[] {
  const ingresses = objectsAt(next, 'status', 'loadBalancer', 'ingress');
  const at = 'status.loadBalancer.ingress';
  const errors: FieldError[] = [];
  if (ingresses.length > 0 && stringAt(next, 'spec', 'type') !== 'LoadBalancer') {
    return [fieldErrors.forbidden(at, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  for (const [index, ingress] of ingresses.entries()) {
    const ip = stringAt(ingress, 'ip');
    const host = stringAt(ingress, 'hostname');
    if (ip !== '') append(errors, ipErrors(ip, `${at}[${index}].ip`));
    append(errors, ingressModeErrors(ingress, `${at}[${index}].ipMode`));
    if (host === '') continue;
    append(errors, each(host, `${at}[${index}].hostname`, dns1123SubdomainErrors));
    if (isIP(host) !== 0) {
      const why = 'must be a DNS name, not an IP address';
      errors.push(fieldErrors.invalid(`${at}[${index}].hostname`, host, why));
    }
  }
  return errors;
}

function ingressModeErrors(ingress: JsonDraft, path: string): readonly FieldError[] {
  const mode = ingress['ipMode'];
  if (stringAt(ingress, 'ip') === '') {
    return mode === undefined ? [] : [fieldErrors.forbidden(path, 'may not be specified when `ip` is not set')];
  }
  return mode === undefined
    ? [fieldErrors.required(path, 'must be specified when `ip` is set')]
    : supportedErrors(mode, path, ['Proxy', 'VIP']);
}

/** Returns the warnings about a Service. */
export function serviceWarnings(service: ApiObject): readonly string[] {
  const spec = objectAt(service, 'spec');
  const headless = spec['type'] === 'ClusterIP' && spec['clusterIP'] === 'None';
  const external = textsAt(spec, 'externalIPs').length > 0;
  const named = spec['type'] === 'ExternalName';
  const warnings: string[] = [];
  if (service.metadata.annotations?.['service.kubernetes.io/topology-aware-hints'] !== undefined) {
    const replacement = 'please use service.kubernetes.io/topology-mode instead';
    warnings.push(`annotation service.kubernetes.io/topology-aware-hints is deprecated, ${replacement}`);
  }
  if (headless) {
    if (stringAt(spec, 'loadBalancerIP') !== '') warnings.push('spec.loadBalancerIP is ignored for headless services');
    if (external) warnings.push('spec.externalIPs is ignored for headless services');
    if (spec['sessionAffinity'] !== 'None') warnings.push('spec.SessionAffinity is ignored for headless services');
  }
  if (external && !headless && !named) {
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  }
  if (named && external) warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  if (!named && stringAt(spec, 'externalName') !== '') {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (spec['trafficDistribution'] === 'PreferClose') {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}
