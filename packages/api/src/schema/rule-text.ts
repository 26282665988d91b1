import { goJson } from './go-text.js';
import type { ValidationRule } from './structural-schema.js';

/** Formats a rule for an error: every field of the Go type of the API server, in its order. */
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

/** Returns the text that identifies a rule in an error: the message of the rule, or the rule itself if it has no message. */
export function ruleName({ rule, message = '' }: ValidationRule): string {
  return (message === '' ? rule : message).trim();
}
