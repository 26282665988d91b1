import type { ApiObject, JsonDraft, JsonObject } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt, textsAt } from '../../../registry/objects/json-object.js';

/** Returns whether the node matches the node selector and the required node affinity of a Pod. */
export function matchesNode(pod: ApiObject, node: ApiObject): boolean {
  const labels = node.metadata.labels ?? {};
  for (const [name, value] of Object.entries(objectAt(pod, 'spec', 'nodeSelector'))) {
    if (labels[name] !== value) return false;
  }
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const affinity = objectAt(pod, 'spec', 'affinity', 'nodeAffinity', required);
  if (affinity['nodeSelectorTerms'] === undefined) return true;
  return objectsAt(affinity, 'nodeSelectorTerms').some((term) => matchesTerm(term, node));
}

/** Returns the names of the only nodes that the required node affinity of a Pod can match, or undefined if any name can match. */
export function enforcedNames(pod: ApiObject): ReadonlySet<string> | undefined {
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const terms = objectsAt(pod, 'spec', 'affinity', 'nodeAffinity', required, 'nodeSelectorTerms');
  const names = terms.map((term) =>
    objectsAt(term, 'matchFields').find(({ key, operator }) => key === 'metadata.name' && operator === 'In'),
  );
  if (terms.length === 0 || names.includes(undefined)) return undefined;
  return new Set(names.flatMap((field) => textsAt(field, 'values')));
}

/**
 * Returns a function that tests in constant time whether a Pod tolerates a taint. The function returns true for taints with effects other
 * than NoSchedule and NoExecute.
 */
export function tolerationsOf(pod: JsonObject): (taint: JsonDraft) => boolean {
  const isListed = listedTolerations(pod);
  return (taint) => (taint['effect'] !== 'NoSchedule' && taint['effect'] !== 'NoExecute') || isListed(taint);
}

/** Returns a function that tests in constant time whether a toleration of a Pod matches a taint. */
export function listedTolerations(pod: JsonObject): (taint: JsonDraft) => boolean {
  // A null entry matches all values.
  const tolerated = new Set(
    objectsAt(pod, 'spec', 'tolerations').map(({ effect, key, operator, value }) =>
      JSON.stringify([effect, key, operator === 'Exists' ? null : (value ?? '')]),
    ),
  );
  return ({ effect, key, value }) =>
    [effect, null].some((anEffect) =>
      [key, null].some((aKey) =>
        [value ?? '', null].some((aValue) => tolerated.has(JSON.stringify([anEffect, aKey, aValue]))),
      ),
    );
}

/** Returns whether a node matches a term of a node selector. */
export function matchesTerm(term: JsonDraft, node: ApiObject): boolean {
  const expressions = objectsAt(term, 'matchExpressions');
  const fields = objectsAt(term, 'matchFields');
  if (expressions.length + fields.length === 0) return false;
  return (
    expressions.every((expression) => meets(expression, node.metadata.labels?.[stringAt(expression, 'key')])) &&
    fields.every((field) => meets(field, stringAt(field, 'key') === 'metadata.name' ? node.metadata.name : undefined))
  );
}

function meets({ operator, values }: JsonDraft, value: string | undefined): boolean {
  const listed = Array.isArray(values) ? values : [];
  switch (operator) {
    case 'In':
      return value !== undefined && listed.includes(value);
    case 'NotIn':
      return value === undefined || !listed.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(listed[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(listed[0]);
    default:
      return false;
  }
}
