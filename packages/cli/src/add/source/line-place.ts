import { withoutByteOrderMark } from '../../project/byte-order-mark.js';
import type { SourceModule } from './source-module.js';
import type { TextEdit } from './text-edit.js';

/** A statement, or a part of one. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How the lines of a source end. */
export function lineEnd(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/**
 * A new statement after another one: on a line of its own, behind what is commented at the end of that line; where more code stands
 * there, directly behind the statement. It ends with a semicolon if the other one does.
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

/** A new statement before another one and the comments right above it; on the same line if code stands before it there. */
export function statementBefore(module: SourceModule, before: Span, statement: string): TextEdit {
  const { text } = module;
  const lineStart = startOfLine(text, before.start);
  const margin = text.slice(lineStart, before.start);
  if (margin.trim() !== '') return { start: before.start, text: `${statement}; ` };
  const start = aboveComments(module, lineStart);
  return { start, text: `${margin}${statement};${lineEnd(text)}` };
}

/** Where the line ends, if nothing but comments stands on the rest of it. */
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

/** The start of the first of the lines above that have nothing but comments. */
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

/** Behind the mark that editors on Windows may put before a text. */
export function startOfText(text: string): number {
  return text.length - withoutByteOrderMark(text).length;
}

function startOfLine(text: string, at: number): number {
  return Math.max(text.lastIndexOf('\n', at - 1) + 1, startOfText(text));
}

/** The white space at the beginning of a line. */
export function marginOf(text: string, at: number): string {
  return /^[^\S\r\n]*/.exec(text.slice(startOfLine(text, at)))?.[0] ?? '';
}
