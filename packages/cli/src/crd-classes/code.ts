/** TypeScript code for `printCode`, which prints the code on one line if possible, and otherwise breaks lines inside brackets. */
export type Code = string | CodeGroup | readonly Code[];

/** A list of codes in brackets, separated by commas. */
export interface CodeGroup {
  readonly brackets: '()' | '[]' | '{}';
  readonly parts: readonly Code[];
}

/** The maximum length of a line of generated code. */
export const lineWidth = 120;

/** Returns the code of a call: `Field.string({ minLength: 1 })`. */
export function call(name: string, args: readonly Code[]): Code {
  return [name, { brackets: '()', parts: args }];
}

/**
 * Returns the text of the code. Indents all lines except the first line, because the caller has already printed the start of that line.
 *
 * @param indent the indentation of the line on which the code begins
 * @param column the column at which the code begins, including the indentation
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
