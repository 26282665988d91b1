import type { Quantity } from '@kubewright/api/quantity';
import { type ApiObject, type JsonObject, objectAt, objectsAt, stringAt, valueAt } from './json-object.js';
import { type Amounts, amountsOf, countOf, podAmounts } from './resource-amounts.js';
import { podQosClass } from './strategies/core/pod-qos-class.js';

/** The part of a definition by which objects are counted. */
export interface CountedResource {
  readonly group: string;
  readonly plural: string;
}

const one = countOf(1);
const zero = countOf(0);
/** Kinds of which quotas know the plain name beside `count/name`. */
const plainNames: ReadonlySet<string> = new Set([
  'configmaps',
  'resourcequotas',
  'replicationcontrollers',
  'secrets',
  'services',
  'persistentvolumeclaims',
]);
const computed = ['cpu', 'memory', 'ephemeral-storage'];
const classSuffix = '.storageclass.storage.k8s.io/';

/** What one object uses of what quotas limit. */
export function quotaUsage({ group, plural }: CountedResource, object: JsonObject): Amounts {
  const used = new Map<string, Quantity>([[group === '' ? `count/${plural}` : `count/${plural}.${group}`, one]]);
  if (group !== '') return used;
  if (plainNames.has(plural)) used.set(plural, one);
  if (plural === 'pods') addPod(used, object);
  if (plural === 'services') addService(used, objectAt(object, 'spec'));
  if (plural === 'persistentvolumeclaims') addClaim(used, objectAt(object, 'spec'));
  return used;
}

/** Whether the quota is about the object: something that it limits is what the object uses, and its scopes fit. */
export function quotaMatches(quota: ApiObject, resource: CountedResource, object: JsonObject): boolean {
  if (limitedNames(quota, resource).length === 0) return false;
  const scopes = valueAt(quota, 'spec', 'scopes');
  const selectors = [
    ...(Array.isArray(scopes) ? scopes.map((scopeName) => ({ scopeName, operator: 'Exists' })) : []),
    ...objectsAt(quota, 'spec', 'scopeSelector', 'matchExpressions'),
  ];
  return selectors.every((selector) => resource.plural === 'pods' && inScope(object, selector));
}

/** The names among those that the quota limits which objects of the resource use. */
export function limitedNames(quota: ApiObject, resource: CountedResource): readonly string[] {
  return Object.keys(objectAt(quota, 'spec', 'hard')).filter((name) => isUsedBy(name, resource));
}

/** The amounts that every container has to give when the quota limits them, and which containers do not. */
export function missingAmounts(quota: ApiObject, pod: JsonObject): ReadonlyMap<string, readonly string[]> {
  const needed = limitedNames(quota, { group: '', plural: 'pods' })
    .filter((name) => /^(?:requests\.|limits\.)?(?:cpu|memory)$/.test(name))
    .toSorted();
  const missing = new Map<string, string[]>();
  const spec = objectAt(pod, 'spec');
  if (Object.keys(objectAt(spec, 'resources')).length > 0) return missing;
  for (const container of [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')]) {
    for (const name of needed) {
      const [field, resource] = name.includes('.') ? name.split('.') : ['requests', name];
      if (objectAt(container, 'resources', field ?? '')[resource ?? ''] !== undefined) continue;
      missing.set(name, [...(missing.get(name) ?? []), stringAt(container, 'name')].toSorted());
    }
  }
  return missing;
}

function isUsedBy(name: string, { group, plural }: CountedResource): boolean {
  if (name === (group === '' ? `count/${plural}` : `count/${plural}.${group}`)) return true;
  if (group !== '') return false;
  if (name === plural && (plainNames.has(plural) || plural === 'pods')) return true;
  if (plural === 'services') return name.startsWith('services.');
  if (plural === 'persistentvolumeclaims') return name === 'requests.storage' || name.includes(classSuffix);
  if (plural !== 'pods') return false;
  const bare = name.replace(/^(?:requests|limits)\./, '');
  if (computed.includes(bare) || /^(?:requests\.)?hugepages-/.test(name)) return true;
  return name.startsWith('requests.') && bare.includes('/') && !bare.includes('kubernetes.io/');
}

function addPod(used: Map<string, Quantity>, pod: JsonObject): void {
  const phase = stringAt(pod, 'status', 'phase');
  if (phase === 'Failed' || phase === 'Succeeded') return;
  used.set('pods', one);
  const spec = objectAt(pod, 'spec');
  for (const [name, amount] of podAmounts(spec, 'requests')) {
    used.set(`requests.${name}`, amount);
    if (computed.includes(name) || name.startsWith('hugepages-')) used.set(name, amount);
  }
  for (const [name, amount] of podAmounts(spec, 'limits')) {
    if (computed.includes(name)) used.set(`limits.${name}`, amount);
  }
}

function addService(used: Map<string, Quantity>, spec: JsonObject): void {
  const { type } = spec;
  const ports = objectsAt(spec, 'ports');
  const own = spec['allocateLoadBalancerNodePorts'] === false;
  const taken = type === 'LoadBalancer' && own ? ports.filter(({ nodePort }) => nodePort) : ports;
  const opens = type === 'NodePort' || type === 'LoadBalancer';
  used.set('services.nodeports', opens ? countOf(taken.length) : zero);
  used.set('services.loadbalancers', type === 'LoadBalancer' ? one : zero);
}

function addClaim(used: Map<string, Quantity>, spec: JsonObject): void {
  const storage = amountsOf(objectAt(spec, 'resources', 'requests')).get('storage');
  const name = stringAt(spec, 'storageClassName');
  if (storage !== undefined) used.set('requests.storage', storage);
  if (name === '') return;
  used.set(`${name}${classSuffix}persistentvolumeclaims`, one);
  if (storage !== undefined) used.set(`${name}${classSuffix}requests.storage`, storage);
}

function inScope(pod: JsonObject, selector: JsonObject): boolean {
  const ends = typeof objectAt(pod, 'spec')['activeDeadlineSeconds'] === 'number';
  const effort = podQosClass(objectAt(pod, 'spec'));
  switch (selector['scopeName']) {
    case 'Terminating':
      return ends;
    case 'NotTerminating':
      return !ends;
    case 'BestEffort':
      return effort === 'BestEffort';
    case 'NotBestEffort':
      return effort !== 'BestEffort';
    case 'PriorityClass':
      return hasPriority(stringAt(pod, 'spec', 'priorityClassName'), selector);
    case 'CrossNamespacePodAffinity':
      return crossesNamespaces(objectAt(pod, 'spec', 'affinity'));
    default:
      return false;
  }
}

function hasPriority(name: string, selector: JsonObject): boolean {
  const values = Array.isArray(selector['values']) ? selector['values'] : [];
  switch (selector['operator']) {
    case 'In':
      return name !== '' && values.includes(name);
    case 'NotIn':
      return !values.includes(name);
    case 'DoesNotExist':
      return name === '';
    default:
      return name !== '';
  }
}

function crossesNamespaces(affinity: JsonObject): boolean {
  const kinds = ['podAffinity', 'podAntiAffinity'].map((field) => objectAt(affinity, field));
  const terms = kinds.flatMap((kind) => [
    ...objectsAt(kind, 'requiredDuringSchedulingIgnoredDuringExecution'),
    ...objectsAt(kind, 'preferredDuringSchedulingIgnoredDuringExecution').map((term) =>
      objectAt(term, 'podAffinityTerm'),
    ),
  ]);
  return terms.some(
    ({ namespaces, namespaceSelector }) =>
      namespaceSelector !== undefined || (Array.isArray(namespaces) && namespaces.length > 0),
  );
}
