import { proseOf } from '../descriptions/doc-comment.js';
import { lineWidth } from './code.js';

/**
 * Returns the lines of a doc comment with a description. A short description results in one line, and an empty description in no line.
 * Preserves line breaks, and wraps long lines between words.
 */
export function commentLines(description: string | undefined, indent: number): readonly string[] {
  const lines = (description ?? '')
    .trim()
    .split(/\r?\n/)
    .map((line) => escaped(line.trimEnd()));
  if (lines.every((line) => line === '')) return [];
  const margin = ' '.repeat(indent);
  const [only = ''] = lines;
  if (lines.length === 1 && indent + only.length + 7 <= lineWidth) return [`${margin}/** ${only} */`];
  const wrapped = lines.flatMap((line) => wrappedLine(line, lineWidth - indent - 3));
  return [`${margin}/**`, ...wrapped.map((line) => `${margin} * ${line}`.trimEnd()), `${margin} */`];
}

/**
 * Reports whether `kubewright generate` reads the same description from the doc comment that `commentLines` returns. Ignores differences in
 * white space.
 */
export function commentKeeps(description: string | undefined): boolean {
  const lines = commentLines(description, 2);
  const comment = lines.join('\n').trim().slice('/**'.length, -'*/'.length);
  return plain(lines.length === 0 ? '' : (proseOf(comment) ?? '')) === plain(description ?? '');
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function wrappedLine(line: string, width: number): readonly string[] {
  if (line.length <= width) return [line];
  const [, margin = '', text = ''] = /^(\s*)(.*)$/.exec(line) ?? [];
  const marker = /^(?:[-*+]|\d+[.)])\s+/.exec(text)?.[0] ?? '';
  const hanging = ' '.repeat(margin.length + marker.length);
  const lines: string[] = [];
  let open = margin;
  for (const word of text.split(/(?<=\S) +/)) {
    const joined = open.trim() === '' ? `${open}${word}` : `${open} ${word}`;
    if (joined.length > width && open.trim() !== '' && !beginsBlock.test(word)) {
      lines.push(open);
      open = `${hanging}${word.startsWith('@') ? '\\' : ''}${word}`;
    } else {
      open = joined;
    }
  }
  return [...lines, open];
}

/** Matches a word that Markdown would interpret as the start of a list, table, heading, or quotation at the start of a line. */
const beginsBlock = /^(?:[-*+]$|\d+[.)]$|[|#>])/;

/** Escapes character sequences that would end the comment or start a JSDoc tag. */
function escaped(line: string): string {
  return line
    .replaceAll('*/', '*\\/')
    .replace(/\{@/g, '{\\@')
    .replace(/^(\s*)@/, '$1\\@');
}
