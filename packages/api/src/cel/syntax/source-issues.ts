import type { ExpressionIssue, UnknownName } from '../../schema/field-error.js';

/** One error in an expression. */
export interface SourceIssue {
  /** The offset in code points. Negative if the error has no position. */
  readonly at: number;
  readonly message: string;
  /** The undeclared name, and the declared names. */
  readonly unknown?: UnknownName;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** The errors of an expression that does not compile. */
export interface ExpressionErrors {
  /** The errors in the wording of the API server, each with the source line and a caret below the position. */
  readonly errors: string;
  /** The errors that have a position, in the order of the positions. */
  readonly issues: readonly ExpressionIssue[];
}

/** Sorts the errors in an expression by position and formats them. */
export function expressionErrors(source: string, issues: readonly SourceIssue[]): ExpressionErrors {
  const points = Array.from(source);
  const placed = issues.map(({ at, ...issue }) => ({ place: placeOf(points, at), ...issue }));
  placed.sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
  const lines = source.split('\n');
  return {
    errors: placed.map(({ place, message }) => show(lines, place, message)).join('\n'),
    issues: placed.flatMap(({ place: { line, column }, ...issue }) =>
      line < 0 ? [] : [{ line, column: column + 1, ...issue }],
    ),
  };
}

function placeOf(points: readonly string[], at: number): Place {
  if (at < 0) return { line: -1, column: -1 };
  let line = 1;
  let start = 0;
  for (let index = 0; index < at && index < points.length; index++) {
    if (points[index] !== '\n') continue;
    line += 1;
    start = index + 1;
  }
  return { line, column: at - start };
}

const LONGEST_SNIPPET = 16384;

function show(lines: readonly string[], { line, column }: Place, message: string): string {
  const head = `ERROR: <input>:${line}:${column + 1}: ${message}`;
  const snippet = lines[line - 1];
  if (snippet === undefined || snippet.length > LONGEST_SNIPPET) return head;
  const text = snippet.replaceAll('\t', ' ');
  const points = Array.from(text);
  const mark = points.slice(0, column).map((char) => (isWide(char) ? '．' : '.'));
  return `${head}\n | ${text}\n | ${mark.join('')}${isWide(points[column] ?? '') ? '＾' : '^'}`;
}

function isWide(char: string): boolean {
  return (char.codePointAt(0) ?? 0) >= 0x80;
}
