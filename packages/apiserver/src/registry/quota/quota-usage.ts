import type { Quantity } from '@kubewright/api/quantity';
import { type ApiObject, type JsonObject, objectAt, objectsAt, stringAt, textsAt } from '../objects/json-object.js';
import { type Amounts, amountsOf, countOf, podAmounts } from './resource-amounts.js';
import { podQosClass } from '../strategies/core/pod-qos-class.js';

/** The fields of a definition that identify a resource for counting. */
export interface CountedResource {
  readonly group: string;
  readonly plural: string;
}

const one = countOf(1);
const zero = countOf(0);
/** The kinds that quotas count by their plain name in addition to `count/name`. */
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
const classAnnotation = 'volume.beta.kubernetes.io/storage-class';
const claimNames = ['persistentvolumeclaims', 'requests.storage'];

/** Returns the usage of one object, by the names that quotas limit. */
export function quotaUsage({ group, plural }: CountedResource, object: JsonObject): Amounts {
  const used = new Map<string, Quantity>([[group === '' ? `count/${plural}` : `count/${plural}.${group}`, one]]);
  if (group !== '') return used;
  if (plainNames.has(plural)) used.set(plural, one);
  if (plural === 'pods') addPod(used, object);
  if (plural === 'services') addService(used, objectAt(object, 'spec'));
  if (plural === 'persistentvolumeclaims') addClaim(used, object);
  return used;
}

/** Whether the object matches all scopes of the quota. A quota without scopes matches every object. */
export function inScopes(quota: ApiObject, resource: CountedResource, object: JsonObject): boolean {
  const selectors = [
    ...textsAt(quota, 'spec', 'scopes').map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...objectsAt(quota, 'spec', 'scopeSelector', 'matchExpressions'),
  ];
  return selectors.every((selector) => inScope(object, resource, selector));
}

/** Returns the names in `hard` that objects of the resource use. */
export function limitedNames(hard: JsonObject, resource: CountedResource): readonly string[] {
  return Object.keys(hard).filter((name) => isUsedBy(name, resource));
}

/**
 * Returns the limited CPU and memory amounts that every container must declare, with the names of the containers that do not declare them.
 * A Pod with Pod-level resources does not need the amounts of its containers.
 */
export function missingAmounts(names: readonly string[], pod: JsonObject): ReadonlyMap<string, readonly string[]> {
  const needed = names.filter((name) => /^(?:requests\.|limits\.)?(?:cpu|memory)$/.test(name)).toSorted();
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
  // Quotas do not count Events.
  if (plural === 'events' && (group === '' || group === 'events.k8s.io')) return false;
  if (name === (group === '' ? `count/${plural}` : `count/${plural}.${group}`)) return true;
  if (group !== '') return false;
  if (name === plural && (plainNames.has(plural) || plural === 'pods')) return true;
  if (plural === 'services') return name.startsWith('services.');
  if (plural === 'persistentvolumeclaims') return isUsedByClaims(name);
  if (plural !== 'pods') return false;
  const bare = name.replace(/^(?:requests|limits)\./, '');
  if (computed.includes(bare) || /^(?:requests\.)?hugepages-/.test(name)) return true;
  return name.startsWith('requests.') && bare.includes('/') && !bare.includes('kubernetes.io/');
}

function isUsedByClaims(name: string): boolean {
  return claimNames.some((known) => name === known || name.endsWith(`${classSuffix}${known}`));
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

function addClaim(used: Map<string, Quantity>, claim: JsonObject): void {
  const storage = storageOf(claim);
  const annotated = objectAt(claim, 'metadata', 'annotations')[classAnnotation];
  const name = typeof annotated === 'string' ? annotated : stringAt(claim, 'spec', 'storageClassName');
  if (storage !== undefined) used.set('requests.storage', storage);
  if (name === '') return;
  used.set(`${name}${classSuffix}persistentvolumeclaims`, one);
  if (storage !== undefined) used.set(`${name}${classSuffix}requests.storage`, storage);
}

/** Returns the storage of a claim, rounded up to whole bytes: the requested amount, or the allocated amount if it is larger. */
function storageOf(claim: JsonObject): Quantity | undefined {
  const requested = amountsOf(objectAt(claim, 'spec', 'resources', 'requests')).get('storage');
  if (requested === undefined) return undefined;
  const allocated = amountsOf(objectAt(claim, 'status', 'allocatedResources')).get('storage');
  const { nanos, format } = allocated !== undefined && allocated.nanos > requested.nanos ? allocated : requested;
  return { nanos: ((nanos + one.nanos - 1n) / one.nanos) * one.nanos, format };
}

function inScope(object: JsonObject, { group, plural }: CountedResource, selector: JsonObject): boolean {
  if (group !== '') return false;
  if (plural === 'pods') return podInScope(object, selector);
  if (plural !== 'persistentvolumeclaims' || selector['scopeName'] !== 'VolumeAttributesClass') return false;
  return anyFits(attributesClassesOf(object), selector);
}

/** Returns the VolumeAttributesClasses of a claim: the requested, the current and the target class. */
function attributesClassesOf(claim: JsonObject): readonly string[] {
  return [
    stringAt(claim, 'spec', 'volumeAttributesClassName'),
    stringAt(claim, 'status', 'currentVolumeAttributesClassName'),
    stringAt(claim, 'status', 'modifyVolumeStatus', 'targetVolumeAttributesClassName'),
  ].filter((name) => name !== '');
}

function podInScope(pod: JsonObject, selector: JsonObject): boolean {
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
      return anyFits(
        [stringAt(pod, 'spec', 'priorityClassName')].filter((name) => name !== ''),
        selector,
      );
    case 'CrossNamespacePodAffinity':
      return crossesNamespaces(objectAt(pod, 'spec', 'affinity'));
    default:
      return false;
  }
}

/**
 * Whether the names match the selector. `In` requires a listed name, and `NotIn` a name that is not listed. `NotIn` and `DoesNotExist`
 * match an empty list.
 */
function anyFits(names: readonly string[], { operator, values }: JsonObject): boolean {
  const listed = (name: string): boolean => Array.isArray(values) && values.includes(name);
  switch (operator) {
    case 'In':
      return names.some(listed);
    case 'NotIn':
      return names.length === 0 || !names.every(listed);
    case 'DoesNotExist':
      return names.length === 0;
    default:
      return names.length > 0;
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
