import {
  type LabelExpression,
  type LabelSelector,
  labelSelectorFromObject,
  type LabelSelectorObject,
} from '@kubewright/api/selectors';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { numberAt, objectAt, objectsAt, stringAt, textsAt, valueAt } from '../../../registry/objects/json-object.js';
import { podAmounts } from '../../../registry/quota/resource-amounts.js';
import { containersAndSidecars } from '../../objects/sidecars.js';
import { tolerationsOf } from './node-match.js';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

/** The resource requests of a Pod by resource name, in billionths of the unit of the resource. */
export type Requests = ReadonlyMap<string, bigint>;

/** A term of the affinity or the anti-affinity between Pods. */
export interface PodTerm {
  readonly topologyKey: string;
  /** The namespaces that the term lists. The namespace of the Pod if the term has neither a list nor a namespace selector. */
  readonly namespaces: ReadonlySet<string>;
  /** Selects further namespaces by their labels. */
  readonly namespaceSelector: LabelSelector;
  readonly selector: LabelSelector;
  /** The weight of a preferred term. */
  readonly weight: number;
}

/** A port of a node that a Pod occupies. */
export interface HostPort {
  readonly ip: string;
  readonly port: number;
  readonly protocol: string;
}

/** The requirements of a Pod for a node, which are the same for all nodes. */
export interface PodNeeds {
  readonly pod: ApiObject;
  readonly priority: number;
  readonly requests: Requests;
  readonly hostPorts: readonly HostPort[];
  readonly isTolerated: (taint: JsonDraft) => boolean;
  /** The required terms of the affinity to other Pods. */
  readonly attracted: readonly PodTerm[];
  /** The required terms of the anti-affinity to other Pods. */
  readonly repels: readonly PodTerm[];
  /** The preferred terms, with negative weights for the anti-affinity. */
  readonly preferred: readonly PodTerm[];
}

/** Returns the requirements of a Pod. */
export function needsOf(pod: ApiObject): PodNeeds {
  // Most Pods never need this function, because they are already on a node.
  let isTolerated: PodNeeds['isTolerated'] | undefined;
  return {
    pod,
    priority: priorityOf(pod),
    requests: requestsOf(pod),
    hostPorts: hostPortsOf(pod),
    isTolerated: (taint) => (isTolerated ??= tolerationsOf(pod))(taint),
    attracted: termsOf(pod, 'podAffinity', required),
    repels: termsOf(pod, 'podAntiAffinity', required),
    preferred: [
      ...termsOf(pod, 'podAffinity', preferred),
      ...termsOf(pod, 'podAntiAffinity', preferred).map((term) => ({ ...term, weight: -term.weight })),
    ],
  };
}

/** Returns the priority of a Pod. */
export function priorityOf(pod: ApiObject): number {
  return numberAt(pod, 'spec', 'priority') ?? 0;
}

/** Returns the requests of a Pod. Each Pod also requests 1 of the resource `pods`. */
export function requestsOf(pod: ApiObject): Requests {
  const requests = new Map<string, bigint>([['pods', 1_000_000_000n]]);
  for (const [name, { nanos }] of podAmounts(objectAt(pod, 'spec'), 'requests')) requests.set(name, nanos);
  return requests;
}

/** Whether a term selects a Pod. `labelsOf` returns the labels of a namespace. */
export function isSelected(
  { namespaces, namespaceSelector, selector }: PodTerm,
  { metadata }: ApiObject,
  labelsOf: (namespace: string) => Readonly<Record<string, string>>,
): boolean {
  const { namespace = '', labels = {} } = metadata;
  if (!selector.matches(labels)) return false;
  return namespaces.has(namespace) || namespaceSelector.matches(labelsOf(namespace));
}

/**
 * Returns the selector of a term or of a constraint of a Pod. With `matchLabelKeys`, the selected Pods must have the values of this Pod for
 * these keys, and with `mismatchLabelKeys` other values.
 */
export function selectorOf(term: JsonDraft, pod: ApiObject): LabelSelector {
  const selector = valueAt(term, 'labelSelector') as LabelSelectorObject | undefined;
  if (selector === undefined) return labelSelectorFromObject(undefined);
  const labels = pod.metadata.labels ?? {};
  const expressions = (field: string, operator: string): readonly LabelExpression[] =>
    textsAt(term, field).flatMap((key) =>
      labels[key] === undefined ? [] : [{ key, operator, values: [labels[key]] }],
    );
  const keys = [...expressions('matchLabelKeys', 'In'), ...expressions('mismatchLabelKeys', 'NotIn')];
  return labelSelectorFromObject({ ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...keys] });
}

function termsOf(pod: ApiObject, field: 'podAffinity' | 'podAntiAffinity', strength: string): readonly PodTerm[] {
  const affinity = valueAt(pod, 'spec', 'affinity');
  if (affinity === undefined) return [];
  return objectsAt(affinity, field, strength).map((each) => {
    const term = strength === preferred ? objectAt(each, 'podAffinityTerm') : each;
    const listed = textsAt(term, 'namespaces');
    const namespaceSelector = valueAt(term, 'namespaceSelector') as LabelSelectorObject | undefined;
    const isOwn = listed.length === 0 && namespaceSelector === undefined;
    return {
      topologyKey: stringAt(term, 'topologyKey'),
      namespaces: new Set(isOwn ? [pod.metadata.namespace ?? ''] : listed),
      namespaceSelector: labelSelectorFromObject(namespaceSelector),
      selector: selectorOf(term, pod),
      weight: numberAt(each, 'weight') ?? 0,
    };
  });
}

function hostPortsOf(pod: ApiObject): readonly HostPort[] {
  return containersAndSidecars(pod)
    .flatMap((container) => objectsAt(container, 'ports'))
    .filter(({ hostPort }) => typeof hostPort === 'number' && hostPort > 0)
    .map((port) => ({
      ip: stringAt(port, 'hostIP') || '0.0.0.0',
      port: Number(port['hostPort']),
      protocol: stringAt(port, 'protocol') || 'TCP',
    }));
}
