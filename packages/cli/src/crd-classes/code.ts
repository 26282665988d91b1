/** A piece of TypeScript that is laid out on one line where it fits, and on several where it does not. */
export type Code = string | CodeGroup | readonly Code[];

/** What stands between brackets, with commas between its parts. */
export interface CodeGroup {
  readonly brackets: '()' | '[]' | '{}';
  readonly parts: readonly Code[];
}

/** The longest line that is written. */
export const lineWidth = 120;

/** A call: `Field.string({ minLength: 1 })`. */
export function call(name: string, args: readonly Code[]): Code {
  return [name, { brackets: '()', parts: args }];
}

/**
 * The text of a piece of code. Lines after the first are indented.
 *
 * @param indent how deep the line is that it begins on
 * @param column how much of that line is taken before it, the indentation included
 */
export function printCode(code: Code, indent: number, column = indent): string {
  const flat = flatText(code);
  if (column + flat.length <= lineWidth || typeof code === 'string') return flat;
  return isGroup(code) ? printGroup(code, indent, column) : printSequence(code, indent, column);
}

function printSequence(codes: readonly Code[], indent: number, column: number): string {
  let text = '';
  for (const code of codes) {
    const last = text.lastIndexOf('\n');
    const at = last === -1 ? column + text.length : text.length - last - 1;
    text += printCode(code, indent, at);
  }
  return text;
}

function printGroup({ brackets, parts }: CodeGroup, indent: number, column: number): string {
  const [open = '', close = ''] = brackets;
  if (brackets === '()' && parts.length > 0) {
    const head = parts
      .slice(0, -1)
      .map((part) => `${flatText(part)}, `)
      .join('');
    const last = parts.at(-1) as Code;
    const fits = column + open.length + head.length + 1 <= lineWidth;
    if (fits && isGroup(last)) {
      return `${open}${head}${printCode(last, indent, column + open.length + head.length)}${close}`;
    }
  }
  const margin = ' '.repeat(indent + 2);
  const lines = parts.map((part) => `${margin}${printCode(part, indent + 2)},\n`);
  return `${open}\n${lines.join('')}${' '.repeat(indent)}${close}`;
}

function flatText(code: Code): string {
  if (typeof code === 'string') return code;
  if (!isGroup(code)) return code.map(flatText).join('');
  const inner = code.parts.map(flatText).join(', ');
  if (code.brackets === '()') return `(${inner})`;
  if (code.brackets === '[]') return `[${inner}]`;
  return inner === '' ? '{}' : `{ ${inner} }`;
}

function isGroup(code: Code): code is CodeGroup {
  return typeof code === 'object' && 'brackets' in code;
}
