import type { ValidationRule } from '../schema/structural-schema.js';
import type { LocalFinding } from './compatibility-finding.js';
import { holdsUnnamed, type SchemaPair, tightened, widened } from './schema-pair.js';

/** Returns the changes of the CEL rules of a value. Does not evaluate the rules: a changed rule counts as a new rule. */
export function compareRules(pair: SchemaPair): readonly LocalFinding[] {
  const before = pair.before['x-kubernetes-validations'] ?? [];
  const after = pair.after['x-kubernetes-validations'] ?? [];
  const gone = before.filter((rule) => !after.some((other) => isSame(rule, other)));
  const added = after.filter((rule) => !before.some((other) => isSame(rule, other)));
  const said = after.filter((rule) => before.some((other) => isSame(rule, other) && !saysTheSame(rule, other)));
  return [
    ...gone.map(({ rule }) => widened(pair, `rule is gone: ${rule}`)),
    ...added.map((rule) => addedRule(pair, rule)),
    ...said.map(({ rule }) => widened(pair, `what it says of a mistake: ${rule}`, 'the rule is the same')),
  ];
}

function addedRule(pair: SchemaPair, { rule }: ValidationRule): LocalFinding {
  const change = `rule is new: ${rule}`;
  const path = pair.path || '.';
  if (keepsAsItIs(rule) && !holdsUnnamed(pair.after)) {
    const reason = 'a change to the value is refused from now on; what is stored stays valid';
    return { path, change, class: pair.root === true ? 'breaking' : 'ratcheted', reason, cure: 'add another field' };
  }
  if (/\boldSelf\b/.test(rule)) {
    const reason = 'a rule about a change (oldSelf) is asked at every update, also when the value stays as it is';
    const cure = 'write it so that it holds when nothing changes: self == oldSelf || …';
    return { path, change, class: 'breaking', reason, cure };
  }
  if (pair.root !== true) return tightened(pair, change);
  const cure =
    'put the rule on the field that it is about, such as the spec: then an object that does not change there is let be';
  return tightened(pair, change, cure);
}

/** Whether a rule is always true for an unchanged value, because it starts with a comparison of self and oldSelf. */
function keepsAsItIs(rule: string): boolean {
  return !rule.includes('?') && /^\s*(self\s*==\s*oldSelf|oldSelf\s*==\s*self)\s*($|\|\|)/.test(rule);
}

function isSame(rule: ValidationRule, other: ValidationRule): boolean {
  return rule.rule.trim() === other.rule.trim() && (rule.optionalOldSelf ?? false) === (other.optionalOldSelf ?? false);
}

function saysTheSame(rule: ValidationRule, other: ValidationRule): boolean {
  return (['message', 'messageExpression', 'reason', 'fieldPath'] as const).every((key) => rule[key] === other[key]);
}
