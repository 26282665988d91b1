import { type BinaryExpression, type CallExpression, parseSync, Visitor } from 'oxc-parser';

const TEXT_METHODS = new Set([
  'includes',
  'startsWith',
  'endsWith',
  'indexOf',
  'lastIndexOf',
  'match',
  'matchAll',
  'search',
  'split',
]);
const PATTERN_METHODS = new Set(['test', 'exec']);
/** Two words with a space between them. */
const PROSE = /\p{L}{2,}[,;:]? \p{L}{2,}/u;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the expressions of a source file that look for a phrase in text, or compare text with a phrase: `message.includes('not found')`,
 * `/not found/.test(text)`, `message === 'not found'`, and `case 'not found'`. Finds literals in the expression and in constants at the top
 * level of the source.
 */
export function proseMatches(path: string, text: string): readonly string[] {
  const { program } = parseSync(path, text);
  const found: string[] = [];
  const patterns = new Map<string, boolean>();
  const add = (node: Node): void => void found.push(text.slice(node.start, node.end));
  const isProse = (node: Node | null | undefined): boolean => {
    if (node === null || node === undefined) return false;
    if (node.type === 'Identifier') return patterns.get((node as Node & { readonly name: string }).name) === true;
    if (node.type !== 'Literal' && node.type !== 'TemplateLiteral') return false;
    return PROSE.test(text.slice(node.start, node.end));
  };
  for (const statement of program.body) {
    if (statement.type !== 'VariableDeclaration') continue;
    for (const { id, init } of statement.declarations) {
      if (id.type === 'Identifier') patterns.set(id.name, init?.type === 'Literal' && isProse(init));
    }
  }
  const matches = ({ callee, arguments: [first] }: CallExpression): boolean => {
    if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false;
    const { name } = callee.property;
    return (TEXT_METHODS.has(name) && isProse(first)) || (PATTERN_METHODS.has(name) && isProse(callee.object));
  };
  const compares = ({ operator, left, right }: BinaryExpression): boolean =>
    /^[!=]==?$/.test(operator) && (isProse(left) || isProse(right));
  new Visitor({
    CallExpression: (call) => void (matches(call) && add(call)),
    BinaryExpression: (comparison) => void (compares(comparison) && add(comparison)),
    SwitchCase: (one) => void (isProse(one.test) && one.test !== null && add(one.test)),
  }).visit(program);
  return found;
}
