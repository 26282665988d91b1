import { withoutByteOrderMark } from '../../project/byte-order-mark.js';
import type { SourceModule } from './source-module.js';
import type { TextEdit } from './text-edit.js';

/** The character offsets of a statement or expression in a source. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the line ending of a source. */
export function lineEnd(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/**
 * Returns the edit that inserts a statement on the line after the statement `after`. The new statement ends with a semicolon if `after`
 * does, or if the next line would otherwise continue the statement. If more code follows `after` on its line, inserts the statement on the
 * same line, always with a semicolon.
 */
export function statementAfter(module: SourceModule, after: Span, statement: string): TextEdit {
  const { text } = module;
  const semicolon = text[after.end - 1] === ';';
  const line = restOfLine(module, after.end);
  if (line === undefined) return { start: after.end, text: `${semicolon ? '' : ';'} ${statement};` };
  const next = text.slice(line).trimStart()[0] ?? '';
  const end = semicolon || '([`+-/*'.includes(next || ' ') ? ';' : '';
  return { start: line, text: `${lineEnd(text)}${marginOf(text, after.start)}${statement}${end}` };
}

/**
 * Returns the edit that inserts a statement before the statement `before` and the comments directly above `before`. If other code precedes
 * `before` on its line, inserts the statement on the same line.
 */
export function statementBefore(module: SourceModule, before: Span, statement: string): TextEdit {
  const { text } = module;
  const lineStart = startOfLine(text, before.start);
  const margin = text.slice(lineStart, before.start);
  if (margin.trim() !== '') return { start: before.start, text: `${statement}; ` };
  const start = aboveComments(module, lineStart);
  return { start, text: `${margin}${statement};${lineEnd(text)}` };
}

/**
 * Returns the offset of the end of the line if only white space and comments follow `from` on the line. Returns undefined if code or a
 * comment of several lines follows.
 */
export function restOfLine({ text, comments }: SourceModule, from: number): number | undefined {
  let at = from;
  for (;;) {
    const rest = /^[^\S\r\n]*/.exec(text.slice(at))?.[0].length ?? 0;
    at += rest;
    if (at >= text.length || text[at] === '\n' || text.startsWith('\r\n', at)) return at;
    const comment = comments.find(({ start }) => start === at);
    if (comment === undefined || /\n/.test(comment.value)) return undefined;
    at = comment.end;
  }
}

/** Returns the start of the consecutive comment lines above a line. If there are none, returns the start of the line itself. */
function aboveComments({ text, comments }: SourceModule, lineStart: number): number {
  let start = lineStart;
  for (;;) {
    const end = text.lastIndexOf('\n', start - 1);
    if (end === -1) return start;
    const last = text.slice(0, end).trimEnd().length;
    if (text.slice(last, end).includes('\n')) return start;
    const comment = comments.find((each) => each.end === last);
    if (comment === undefined) return start;
    const line = startOfLine(text, comment.start);
    if (text.slice(line, comment.start).trim() !== '') return start;
    start = line;
  }
}

/** Returns the start of the text after a byte order mark, which editors on Windows may write. */
export function startOfText(text: string): number {
  return text.length - withoutByteOrderMark(text).length;
}

function startOfLine(text: string, at: number): number {
  return Math.max(text.lastIndexOf('\n', at - 1) + 1, startOfText(text));
}

/** Returns the indentation of the line that contains the offset `at`. */
export function marginOf(text: string, at: number): string {
  return /^[^\S\r\n]*/.exec(text.slice(startOfLine(text, at)))?.[0] ?? '';
}
