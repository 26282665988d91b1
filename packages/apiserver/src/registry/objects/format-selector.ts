import { formatLabels } from '@kubewright/api/selectors';
import type { JsonDraft } from './api-object.js';
import { objectAt, objectsAt } from './json-object.js';

/** Formats a LabelSelector as text, such as `app=web,tier in (a,b)`. A plain map is treated as matchLabels. */
export function formatSelector(selector: JsonDraft): string {
  const structured = 'matchLabels' in selector || 'matchExpressions' in selector;
  const labels = structured ? objectAt(selector, 'matchLabels') : selector;
  const parts = [formatLabels(labels as Record<string, string>)];
  for (const { key, operator, values } of objectsAt(selector, 'matchExpressions')) {
    const listed = Array.isArray(values) ? values.map(String).toSorted().join(',') : '';
    if (operator === 'In') parts.push(`${String(key)} in (${listed})`);
    if (operator === 'NotIn') parts.push(`${String(key)} notin (${listed})`);
    if (operator === 'Exists') parts.push(String(key));
    if (operator === 'DoesNotExist') parts.push(`!${String(key)}`);
  }
  return parts.filter((part) => part !== '').join(',');
}
