import type { FieldRequirement, LabelRequirement, LabelSelector } from '@kubewright/api/selectors';
import { parseFieldSelector } from '@kubewright/api/selectors';
import { readLabels } from '../store/label-match.js';

/**
 * Returns whether the label selector `outer` selects all objects that `inner` selects. Also returns false if this cannot be determined from
 * the selectors.
 */
export function labelsCover(outer: string | undefined, inner: string | undefined): boolean {
  if (outer === undefined || outer === inner) return true;
  if (inner === undefined) return false;
  const [wide, narrow]: readonly LabelSelector[] = [readLabels(outer), readLabels(inner)];
  const given = narrow?.requirements ?? [];
  return (wide?.requirements ?? []).every((needed) => given.some((each) => implies(each, needed)));
}

/** Returns the requirements of a field selector. Returns an empty list for undefined. */
export function fieldTerms(fields: string | undefined): readonly FieldRequirement[] {
  return fields === undefined ? [] : parseFieldSelector(fields).requirements;
}

/** Returns whether all objects that satisfy `given` also satisfy `needed`. Also returns false if this cannot be determined. */
function implies(given: LabelRequirement, needed: LabelRequirement): boolean {
  if (given.key !== needed.key) return false;
  const values = new Set(needed.values);
  switch (given.operator) {
    case '=':
    case '==':
    case 'in':
      return given.values.every((value) => allows(needed, values, value));
    case '!=':
    case 'notin':
      return isExclusion(needed) && needed.values.every((value) => given.values.includes(value));
    case '!':
      return needed.operator === '!' || isExclusion(needed);
    case 'exists':
      return needed.operator === 'exists';
    default:
      return given.operator === needed.operator && given.values[0] === needed.values[0];
  }
}

/** Returns whether a label with this value satisfies the requirement. */
function allows({ operator, values: [bound] }: LabelRequirement, values: ReadonlySet<string>, value: string): boolean {
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return values.has(value);
    case '!=':
    case 'notin':
      return !values.has(value);
    case 'exists':
      return true;
    case 'gt':
    case 'lt':
      return bound !== undefined && readLabels(`x ${operator === 'gt' ? '>' : '<'} ${bound}`).matches({ x: value });
    default:
      return false;
  }
}

function isExclusion({ operator }: LabelRequirement): boolean {
  return operator === '!=' || operator === 'notin';
}
