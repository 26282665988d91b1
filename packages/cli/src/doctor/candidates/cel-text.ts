/** A CEL expression, and the precedence of its outermost operator. */
export interface CelText {
  readonly text: string;
  readonly binding: Binding;
}

/** The precedence levels of operators in CEL, lowest first. */
export const BINDINGS = ['ternary', 'or', 'and', 'relation', 'sum', 'product', 'unary', 'member'] as const;
export type Binding = (typeof BINDINGS)[number];

/** Returns an expression such as a field or a call, which never needs parentheses. */
export function member(text: string): CelText {
  return { text, binding: 'member' };
}

/** Returns the text of an expression as an operand. Adds parentheses if the precedence of the expression is lower than `binding`. */
export function operand(expression: CelText, binding: Binding): string {
  const isWeaker = BINDINGS.indexOf(expression.binding) < BINDINGS.indexOf(binding);
  return isWeaker ? `(${expression.text})` : expression.text;
}

/** Returns a binary operation. Adds parentheses to an operand with a lower precedence, and to a right operand with the same precedence. */
export function binary(left: CelText, operator: string, right: CelText, binding: Binding): CelText {
  const stronger = BINDINGS[BINDINGS.indexOf(binding) + 1] ?? 'member';
  return { text: `${operand(left, binding)} ${operator} ${operand(right, stronger)}`, binding };
}

/** Returns the negation of an expression. */
export function negation(expression: CelText): CelText {
  return { text: `!${operand(expression, 'unary')}`, binding: 'unary' };
}

/** Returns a string literal in single quotes. */
export function textLiteral(text: string): string {
  const escaped = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\']/gu, (char) => {
    if (char === '\\' || char === "'") return `\\${char}`;
    const code = char.codePointAt(0) ?? 0;
    return SHORT[char] ?? (code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`);
  });
  return `'${escaped}'`;
}

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, '0');
}
