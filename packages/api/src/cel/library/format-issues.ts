import type { CelKind, CelType } from '../values/cel-type.js';
import type { Call, Expression } from '../syntax/expression.js';
import { clauseError, type FormatClause, formatClauses } from './format-clauses.js';
import type { SourceIssue } from '../syntax/source-issues.js';

type Types = ReadonlyMap<Expression, CelType>;

const TAKES: Readonly<Record<string, readonly CelKind[]>> = {
  s: ['list', 'map', 'int', 'uint', 'double', 'bool', 'string', 'timestamp', 'bytes', 'duration', 'type', 'null_type'],
  d: ['int', 'uint'],
  f: ['double', 'string'],
  e: ['double', 'string'],
  b: ['int', 'uint', 'bool'],
  o: ['int', 'uint'],
  x: ['int', 'uint', 'string', 'bytes'],
  X: ['int', 'uint', 'string', 'bytes'],
};

/**
 * Returns the first error in a call of `format` whose format and argument list are literals. Returns an empty list if there is no error,
 * and for all other expressions.
 */
export function formatIssues(part: Expression, types: Types): readonly SourceIssue[] {
  if (part.kind !== 'call' || part.name !== 'format' || part.target?.kind !== 'literal') return [];
  const [list] = part.args;
  if (typeof part.target.value !== 'string' || list?.kind !== 'list') return [];
  return clauseIssues(part, part.target.value, { elements: list.elements, types });
}

function clauseIssues(
  { at }: Call,
  template: string,
  { elements, types }: { readonly elements: readonly Expression[]; readonly types: Types },
): readonly SourceIssue[] {
  let used = 0;
  for (const clause of formatClauses(template, elements.length)) {
    if (typeof clause === 'string') continue;
    if (clause instanceof Error) return [{ at, message: clause.message }];
    const wrong = unfit(clause, elements[clause.index], types);
    if (wrong !== undefined) {
      return [{ at: wrong.at, message: clauseError(clause.verb, types.get(wrong)?.name ?? 'dyn') }];
    }
    used += 1;
  }
  if (elements.length <= used) return [];
  const message = `too many arguments supplied to string.format (expected ${used}, got ${elements.length})`;
  return [{ at, message }];
}

/** Returns the argument, or its nested value, that a clause does not support. Returns undefined if the clause supports the argument. */
function unfit(clause: FormatClause, argument: Expression | undefined, types: Types): Expression | undefined {
  if (argument === undefined) return undefined;
  const kind = types.get(argument)?.kind ?? 'dyn';
  if (kind !== 'dyn' && !(TAKES[clause.verb] ?? []).includes(kind)) return argument;
  if (clause.verb !== 's') return undefined;
  if (argument.kind === 'list') return firstUnfit(clause, argument.elements, types);
  if (argument.kind !== 'map') return undefined;
  const parts = argument.entries.flatMap(({ key, value }) => [key, value]);
  return firstUnfit(clause, parts, types);
}

function firstUnfit(clause: FormatClause, parts: readonly Expression[], types: Types): Expression | undefined {
  for (const part of parts) {
    const found = unfit(clause, part, types);
    if (found !== undefined) return found;
  }
  return undefined;
}
