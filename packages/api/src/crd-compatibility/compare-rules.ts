import type { ValidationRule } from '../schema/structural-schema.js';
import type { LocalFinding } from './compatibility-finding.js';
import { holdsUnnamed, type SchemaPair, tightened, widened } from './schema-pair.js';

/** Returns the changes of the CEL rules of a value. Does not evaluate the rules: a changed rule counts as a new rule. */
export function compareRules(pair: SchemaPair): readonly LocalFinding[] {
  const before = pair.before['x-kubernetes-validations'] ?? [];
  const after = pair.after['x-kubernetes-validations'] ?? [];
  const removed = before.filter((rule) => !after.some((other) => isSame(rule, other)));
  const added = after.filter((rule) => !before.some((other) => isSame(rule, other)));
  const reworded = after.filter((rule) => before.some((other) => isSame(rule, other) && !hasSameMessage(rule, other)));
  return [
    ...removed.map(({ rule }) => widened(pair, `rule removed: ${rule}`)),
    ...added.map((rule) => addedRule(pair, rule)),
    ...reworded.map(({ rule }) => widened(pair, `error of a rule changed: ${rule}`, 'the rule itself is unchanged')),
  ];
}

function addedRule(pair: SchemaPair, { rule }: ValidationRule): LocalFinding {
  const change = `rule added: ${rule}`;
  const path = pair.path || '.';
  if (keepsAsItIs(rule) && !holdsUnnamed(pair.after)) {
    const reason = 'changes of the value are rejected; stored values stay valid';
    return {
      path,
      change,
      class: pair.root === true ? 'breaking' : 'ratcheted',
      reason,
      remedy: 'add a field with a different name',
    };
  }
  if (/\boldSelf\b/.test(rule)) {
    const reason = 'a transition rule (oldSelf) is evaluated at every update, even if the value does not change';
    const remedy = 'make the rule true for an unchanged value: self == oldSelf || …';
    return { path, change, class: 'breaking', reason, remedy };
  }
  if (pair.root !== true) return tightened(pair, change);
  const remedy =
    'declare the rule on the field that it restricts, such as spec, so that updates of other fields are accepted';
  return tightened(pair, change, remedy);
}

/**
 * Whether a rule is always true for an unchanged value: the rule is `self == oldSelf` or `oldSelf == self`, alone or followed by `||`, and
 * does not contain `?`.
 */
function keepsAsItIs(rule: string): boolean {
  return !rule.includes('?') && /^\s*(self\s*==\s*oldSelf|oldSelf\s*==\s*self)\s*($|\|\|)/.test(rule);
}

function isSame(rule: ValidationRule, other: ValidationRule): boolean {
  return rule.rule.trim() === other.rule.trim() && (rule.optionalOldSelf ?? false) === (other.optionalOldSelf ?? false);
}

function hasSameMessage(rule: ValidationRule, other: ValidationRule): boolean {
  return (['message', 'messageExpression', 'reason', 'fieldPath'] as const).every((key) => rule[key] === other[key]);
}
