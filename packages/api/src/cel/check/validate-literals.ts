import { append } from '../../objects/append.js';
import { sameType, formatType, type CelType, withinOptional } from '../values/cel-type.js';
import { CelError } from '../values/cel-error.js';
import type { CheckedExpression } from './check.js';
import { toDuration, toTimestamp } from '../library/conversions.js';
import { childrenOf, type Expression } from '../syntax/expression.js';
import { formatIssues } from '../library/format-issues.js';
import { compilePattern } from '../library/pattern.js';
import type { SourceIssue } from '../syntax/source-issues.js';

/**
 * Returns the errors that type checking does not find: invalid constants (durations, timestamps, patterns and format strings), and literal
 * lists and maps whose elements have different types.
 */
export function literalIssues(checked: CheckedExpression): readonly SourceIssue[] {
  const issues: SourceIssue[] = [];
  for (const { part, formatted } of partsOf(checked.expression)) {
    const issue = argumentIssue(part);
    if (issue !== undefined) issues.push(issue);
    if (!formatted) append(issues, mixtureIssues(part, checked.types));
    append(issues, formatIssues(part, checked.types));
  }
  return issues;
}

interface Part {
  readonly part: Expression;
  /** Whether the expression is within a call of `format`, whose arguments can have different types. */
  readonly formatted: boolean;
}

function partsOf(root: Expression): readonly Part[] {
  const parts: Part[] = [{ part: root, formatted: false }];
  for (let index = 0; index < parts.length; index++) {
    const { part, formatted } = parts[index] ?? { part: root, formatted: false };
    const within = formatted || (part.kind === 'call' && part.name === 'format');
    for (const child of childrenOf(part)) parts.push({ part: child, formatted: within });
  }
  return parts;
}

function argumentIssue(part: Expression): SourceIssue | undefined {
  if (part.kind !== 'call') return undefined;
  const [argument] = part.args;
  if (argument?.kind !== 'literal') return undefined;
  const { value } = argument;
  const wrong =
    (part.name === 'duration' && toDuration(value) instanceof CelError) ||
    (part.name === 'timestamp' && toTimestamp(value) instanceof CelError) ||
    (part.name === 'matches' && typeof value === 'string' && compilePattern(value) instanceof CelError);
  return wrong ? { at: argument.at, message: `invalid ${part.name} argument` } : undefined;
}

type Types = ReadonlyMap<Expression, CelType>;

function mixtureIssues(part: Expression, types: Types): readonly SourceIssue[] {
  if (part.kind === 'list') return mixtures(part.elements, types, part.optional).slice(0, 1);
  if (part.kind !== 'map') return [];
  const keys = part.entries.map(({ key }) => key);
  const values = part.entries.map(({ value }) => value);
  const optional = part.entries.map((entry) => entry.optional);
  return [...mixtures(keys, types, []), ...mixtures(values, types, optional)];
}

function mixtures(elements: readonly Expression[], types: Types, optional: readonly boolean[]): readonly SourceIssue[] {
  const issues: SourceIssue[] = [];
  let expected: CelType | undefined;
  for (const [index, element] of elements.entries()) {
    const whole = types.get(element);
    const type = optional[index] === true && whole !== undefined ? (withinOptional(whole) ?? whole) : whole;
    if (type === undefined) continue;
    expected ??= type;
    if (sameType(expected, type)) continue;
    const message = `expected type '${formatType(expected)}' but found '${formatType(type)}'`;
    issues.push({ at: element.at, message });
  }
  return issues;
}
