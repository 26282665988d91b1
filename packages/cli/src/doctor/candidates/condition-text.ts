import { type CelText, member, operand } from './cel-text.js';
import type { Condition } from './condition.js';

/** Returns a condition as an expression. */
export function conditionText(condition: Condition): CelText {
  if (condition.kind === 'constant') return member(String(condition.value));
  if (condition.kind === 'atom') return condition.text;
  const operator = condition.kind === 'and' ? ' && ' : ' || ';
  // CEL does not require parentheses around `&&` within `||`, but parentheses make the expression easier to read.
  const parts = condition.parts.map((part) => operand(conditionText(part), 'relation'));
  return { text: parts.join(operator), binding: condition.kind };
}
