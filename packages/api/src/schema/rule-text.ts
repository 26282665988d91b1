import { goJson } from './go-text.js';
import type { ValidationRule } from './structural-schema.js';

/** A rule as errors show it: with every field that the API server's own type has, in its order. */
export function ruleText(rule: ValidationRule): string {
  const { message = '', messageExpression = '', reason = null, fieldPath = '', optionalOldSelf = null } = rule;
  const parts = [
    ['Rule', rule.rule],
    ['Message', message],
    ['MessageExpression', messageExpression],
    ['Reason', reason],
    ['FieldPath', fieldPath],
    ['OptionalOldSelf', optionalOldSelf],
  ] as const;
  return `{${parts.map(([name, value]) => `"${name}":${goJson(value)}`).join(',')}}`;
}

/** How a rule is named where it could not be evaluated: by its message, or by itself. */
export function ruleName({ rule, message = '' }: ValidationRule): string {
  return (message === '' ? rule : message).trim();
}
