import type { JsonDraft } from '../../registry/objects/api-object.js';
import { isObject, objectAt, objectsAt, stringAt, textsAt } from '../../registry/objects/json-object.js';

/** Returns a LabelSelector as the messages of kube-controller-manager show it. */
export function selectorText(selector: unknown): string {
  if (!isObject(selector)) return 'nil';
  const labels = Object.entries(objectAt(selector, 'matchLabels')).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const listed = labels.map(([name, value]) => `${name}: ${String(value)},`).join('');
  const expressions = objectsAt(selector, 'matchExpressions').map(expressionText).join('');
  return `&LabelSelector{MatchLabels:map[string]string{${listed}},MatchExpressions:[]LabelSelectorRequirement{${expressions}},}`;
}

function expressionText(expression: JsonDraft): string {
  const { key, operator } = { key: stringAt(expression, 'key'), operator: stringAt(expression, 'operator') };
  const values = textsAt(expression, 'values').join(' ');
  return `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values}],},`;
}
