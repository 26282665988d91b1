import type { Quantity } from '@kubewright/api/quantity';
import type { JsonObject } from '../../../objects/api-object.js';
import { numberAt, objectAt, objectsAt, stringAt } from '../../../objects/json-object.js';
import type { QuotaRules } from '../../../quota/quota-rules.js';
import { type Amounts, countOf, podAmounts } from '../../../quota/resource-amounts.js';
import { matchesNames } from '../../../quota/scope-selector.js';
import { podQosClass } from './pod-qos-class.js';

const one = countOf(1);
const computed = ['cpu', 'memory', 'ephemeral-storage'];

/**
 * The rules by which quotas count Pods: the number of Pods that have not ended, and their requests and limits. A Pod with
 * activeDeadlineSeconds is in the scope Terminating. Other Pods are in the scope NotTerminating.
 */
export const podQuota: QuotaRules = {
  usage,
  uses: (name) => {
    const bare = name.replace(/^(?:requests|limits)\./, '');
    if (name === 'pods' || computed.includes(bare) || /^(?:requests\.)?hugepages-/.test(name)) return true;
    return name.startsWith('requests.') && bare.includes('/') && !bare.includes('kubernetes.io/');
  },
  isInScope,
  counts: ({ operation, subresource, object, old }) => {
    if (subresource === 'resize') return operation === 'UPDATE';
    if (subresource !== undefined) return false;
    return operation === 'CREATE' || (operation === 'UPDATE' && hasDeadline(object) !== hasDeadline(old));
  },
  undeclared,
  mayUseLess: (pod) => isFinished(pod) || hasDeadline(pod),
};

function usage(pod: JsonObject): Amounts {
  const used = new Map<string, Quantity>();
  if (isFinished(pod)) return used;
  used.set('pods', one);
  const spec = objectAt(pod, 'spec');
  for (const [name, amount] of podAmounts(spec, 'requests')) {
    used.set(`requests.${name}`, amount);
    if (computed.includes(name) || name.startsWith('hugepages-')) used.set(name, amount);
  }
  for (const [name, amount] of podAmounts(spec, 'limits')) {
    if (computed.includes(name)) used.set(`limits.${name}`, amount);
  }
  return used;
}

function isFinished(pod: JsonObject): boolean {
  return ['Succeeded', 'Failed'].includes(stringAt(pod, 'status', 'phase'));
}

function hasDeadline(pod: JsonObject | undefined): boolean {
  return numberAt(pod, 'spec', 'activeDeadlineSeconds') !== undefined;
}

/**
 * Returns the limited CPU and memory amounts that containers do not declare, with the names of these containers. If the Pod has Pod-level
 * resources, its containers do not need to declare amounts.
 */
function undeclared(names: readonly string[], pod: JsonObject): ReadonlyMap<string, readonly string[]> {
  const needed = names.filter((name) => /^(?:requests\.|limits\.)?(?:cpu|memory)$/.test(name)).toSorted();
  const spec = objectAt(pod, 'spec');
  if (Object.keys(objectAt(spec, 'resources')).length > 0) return new Map();
  const containers = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')];
  return new Map(
    needed.flatMap((name): readonly (readonly [string, readonly string[]])[] => {
      const [field = '', resource = ''] = name.includes('.') ? name.split('.') : ['requests', name];
      const missing = containers.filter((container) => objectAt(container, 'resources', field)[resource] === undefined);
      return missing.length === 0 ? [] : [[name, missing.map((each) => stringAt(each, 'name')).toSorted()]];
    }),
  );
}

function isInScope(pod: JsonObject, selector: JsonObject): boolean {
  switch (selector['scopeName']) {
    case 'Terminating':
      return hasDeadline(pod);
    case 'NotTerminating':
      return !hasDeadline(pod);
    case 'BestEffort':
      return podQosClass(objectAt(pod, 'spec')) === 'BestEffort';
    case 'NotBestEffort':
      return podQosClass(objectAt(pod, 'spec')) !== 'BestEffort';
    case 'PriorityClass':
      return matchesNames(
        selector,
        [stringAt(pod, 'spec', 'priorityClassName')].filter((name) => name !== ''),
      );
    case 'CrossNamespacePodAffinity':
      return crossesNamespaces(objectAt(pod, 'spec', 'affinity'));
    default:
      return false;
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
