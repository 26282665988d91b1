import { type LabelSelector, labelSelectorFromObject } from '@kubewright/api/selectors';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { objectAt } from '../../registry/objects/json-object.js';

/**
 * Returns the selector of a workload. The selector of a ReplicationController contains only labels, while other workloads have a
 * LabelSelector.
 */
export function ownerSelector(owner: ApiObject): LabelSelector {
  const selector = objectAt(owner, 'spec', 'selector');
  return labelSelectorFromObject(owner.kind === 'ReplicationController' ? { matchLabels: selector } : selector);
}
