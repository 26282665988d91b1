/** One token of a label selector. `kind` is the operator itself, 'word', 'end', or 'error' for an invalid operator. */
export interface LabelToken {
  readonly kind: 'word' | 'end' | 'error' | 'in' | 'notin' | ')' | '(' | ',' | '!' | '=' | '==' | '!=' | '>' | '<';
  readonly text: string;
}

const SIGNS = new Set(['=', '!', '(', ')', ',', '>', '<']);
const SPACES = new Set([' ', '\t', '\r', '\n']);
const OPERATORS: readonly LabelToken['kind'][] = [')', ',', '!', '==', '=', '>', '<', '!=', '('];

/** Returns the tokens of a label selector, including the end token. Words can contain any character except whitespace and operators. */
export function labelTokens(text: string): readonly LabelToken[] {
  const tokens: LabelToken[] = [];
  let position = 0;
  while (position < text.length) {
    const char = text.charAt(position);
    if (SPACES.has(char)) {
      position++;
      continue;
    }
    const token = SIGNS.has(char) ? signAt(text, position) : wordAt(text, position);
    tokens.push(token.token);
    position = token.next;
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}

function wordAt(text: string, start: number): { token: LabelToken; next: number } {
  let next = start;
  while (next < text.length && !SIGNS.has(text.charAt(next)) && !SPACES.has(text.charAt(next))) next++;
  const word = text.slice(start, next);
  return { token: { kind: word === 'in' || word === 'notin' ? word : 'word', text: word }, next };
}

function signAt(text: string, start: number): { token: LabelToken; next: number } {
  const two = text.slice(start, start + 2);
  const sign =
    OPERATORS.find((operator) => operator === two) ?? OPERATORS.find((operator) => operator === two.charAt(0));
  if (sign === undefined) {
    return { token: { kind: 'error', text: `error expected: keyword found '${two}'` }, next: start + two.length };
  }
  return { token: { kind: sign, text: sign }, next: start + sign.length };
}
