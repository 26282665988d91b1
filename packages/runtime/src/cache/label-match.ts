import type { KubeObject } from '@kubewright/api';
import { formatLabels, parseLabelSelector } from '@kubewright/api/selectors';
import type { ListOptions } from './list-options.js';

/** Labels as the API wants to have them; undefined when all objects are meant. */
export function labelSelectorText(labels: ListOptions<never>['labels']): string | undefined {
  const text = typeof labels === 'object' ? formatLabels(labels) : labels?.trim();
  return text === '' ? undefined : text;
}

/** Whether an object has such labels. Throws INVALID_SELECTOR. */
export function labelMatcher(labels: ListOptions<never>['labels']): (object: KubeObject) => boolean {
  const text = labelSelectorText(labels);
  if (text === undefined) return () => true;
  const selector = parseLabelSelector(text);
  return (object) => selector.matches(object.metadata.labels ?? {});
}
