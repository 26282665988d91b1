import { isDeepStrictEqual } from 'node:util';
import { type LabelOperator, labelSelectorFromObject } from '@kubewright/api/selectors';
import type { InformerScope } from './informer-selection.js';
import { readLabels } from '../store/label-match.js';

/** Maps the operators of label selectors to operators of `matchExpressions`, which has no operators for `gt` and `lt`. */
const OPERATORS: Readonly<Partial<Record<LabelOperator, string>>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

interface Expression {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/**
 * Returns a scope that selects exactly the objects that at least one of the two scopes selects. This is possible if the scopes differ only
 * in their labels, and if the labels differ only in the allowed values of one key: `a=x` and `a=y` become `a in (x,y)`. Otherwise, or if a
 * requirement compares numbers, returns undefined.
 */
export function mergedScope(a: InformerScope, b: InformerScope): InformerScope | undefined {
  if (!isDeepStrictEqual({ ...a, labels: undefined }, { ...b, labels: undefined })) return undefined;
  const [ours, theirs] = [expressionsOf(a.labels), expressionsOf(b.labels)];
  if (ours === undefined || theirs?.length !== ours.length) return undefined;
  const [mine, ...more] = without(ours, theirs);
  const [other, ...others] = without(theirs, ours);
  if (mine === undefined || other === undefined || more.length + others.length > 0) return undefined;
  if (mine.key !== other.key || mine.operator !== 'In' || other.operator !== 'In') return undefined;
  const values = [...new Set([...mine.values, ...other.values])].toSorted();
  const matchExpressions = [...without(ours, [mine]), { key: mine.key, operator: 'In', values }];
  return { ...a, labels: labelSelectorFromObject({ matchExpressions }).toString() };
}

/** Returns the requirements of a label selector. Returns undefined if there is no selector or if a requirement compares numbers. */
function expressionsOf(labels: string | undefined): readonly Expression[] | undefined {
  if (labels === undefined) return undefined;
  const expressions = readLabels(labels).requirements.flatMap(({ key, operator: given, values }) => {
    const operator = OPERATORS[given];
    return operator === undefined ? [] : [{ key, operator, values }];
  });
  return expressions.length === readLabels(labels).requirements.length ? expressions : undefined;
}

function without(all: readonly Expression[], removed: readonly Expression[]): readonly Expression[] {
  return all.filter((each) => !removed.some((one) => isDeepStrictEqual(one, each)));
}
