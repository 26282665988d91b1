import { nearest } from '../names/nearest.js';
import type { ExpressionIssue } from './field-error.js';

/**
 * Returns the errors in a CEL expression on one line, each with its line and column, and with a suggestion for a misspelled name:
 * `undefined field 'sise' (at column 5; did you mean 'size'?)`.
 */
export function issuesText(issues: readonly ExpressionIssue[]): string {
  return issues.map(issueText).join('; ');
}

function issueText({ line, column, message, unknown }: ExpressionIssue): string {
  const [first = ''] = message.split('\n');
  const suggestion = unknown === undefined ? undefined : nearest(unknown.name, unknown.known);
  const hint = suggestion === undefined ? '' : `; did you mean '${suggestion}'?`;
  return `${first.trim()} (at ${line === 1 ? '' : `line ${line}, `}column ${column}${hint})`;
}
