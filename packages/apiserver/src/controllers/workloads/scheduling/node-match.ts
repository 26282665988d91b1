import type { ApiObject, JsonDraft, JsonObject } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt, textsAt } from '../../../registry/objects/json-object.js';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';

/** Returns whether the node matches the node selector and the required node affinity of a Pod. */
export function matchesNode(pod: ApiObject, node: ApiObject): boolean {
  const labels = node.metadata.labels ?? {};
  for (const [name, value] of Object.entries(objectAt(pod, 'spec', 'nodeSelector'))) {
    if (labels[name] !== value) return false;
  }
  const affinity = objectAt(pod, 'spec', 'affinity', 'nodeAffinity', required);
  if (affinity['nodeSelectorTerms'] === undefined) return true;
  return objectsAt(affinity, 'nodeSelectorTerms').some((term) => matchesTerm(term, node));
}

/** Returns the names of the only nodes that the required node affinity of a Pod can match, or undefined if any name can match. */
export function enforcedNames(pod: ApiObject): ReadonlySet<string> | undefined {
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
  const matching = matchingToleration(pod);
  return (taint) => matching(taint) !== undefined;
}

/** Returns a function that returns in constant time the first toleration of a Pod that matches a taint, if any. */
export function matchingToleration(pod: JsonObject): (taint: JsonDraft) => JsonDraft | undefined {
  // A null entry matches all values.
  const textOf = (...entries: readonly unknown[]): string => JSON.stringify(entries);
  const known = new Map<string, { readonly at: number; readonly toleration: JsonDraft }>();
  for (const [at, toleration] of objectsAt(pod, 'spec', 'tolerations').entries()) {
    const { effect, key, operator, value } = toleration;
    const text = textOf(effect, key, operator === 'Exists' ? null : (value ?? ''));
    if (!known.has(text)) known.set(text, { at, toleration });
  }
  return ({ effect, key, value }) => {
    if (known.size === 0) return undefined;
    const found = [effect, null]
      .flatMap((anEffect) => [key, null].map((aKey) => [anEffect, aKey]))
      .flatMap((entries) => [value ?? '', null].map((aValue) => known.get(textOf(...entries, aValue))))
      .filter((each) => each !== undefined);
    return found.toSorted((a, b) => a.at - b.at)[0]?.toleration;
  };
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
