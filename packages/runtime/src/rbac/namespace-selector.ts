import type { LabelSelector, LabelSelectorRequirement } from '@kubewright/api/meta/v1';

/** The label with the name of a namespace, which the API server sets on every namespace. */
const NAMESPACE_NAME = 'kubernetes.io/metadata.name';

/** Returns a requirement that selects these namespaces by their names (`In`), or all other namespaces (`NotIn`). */
export function namespaceRequirement(operator: 'In' | 'NotIn', names: readonly string[]): LabelSelectorRequirement {
  return { key: NAMESPACE_NAME, operator, values: names };
}

/** Returns a label selector with one more requirement. */
export function withRequirement(
  { matchExpressions = [], ...selector }: LabelSelector = {},
  requirement: LabelSelectorRequirement,
): LabelSelector {
  return { ...selector, matchExpressions: [...matchExpressions, requirement] };
}
