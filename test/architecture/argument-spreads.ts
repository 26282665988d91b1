import { type CallExpression, parseSync, Visitor } from 'oxc-parser';

const METHODS = new Set(['push', 'unshift', 'splice', 'toSpliced', 'concat']);
const FUNCTIONS = new Set([
  'Math.max',
  'Math.min',
  'Math.hypot',
  'String.fromCharCode',
  'String.fromCodePoint',
  'Array.of',
]);

/**
 * Returns the calls of a source that pass each item of a list as an argument: `push(...list)`, `Math.max(...list)`, and
 * the same functions with `.apply` or `.call`. Such a call overflows the stack at about 120,000 items.
 */
export function argumentSpreads(path: string, text: string): readonly string[] {
  const found: string[] = [];
  const visitor = new Visitor({
    CallExpression: (call) => {
      if (passesList(call, text)) found.push(text.slice(call.start, call.end));
    },
  });
  visitor.visit(parseSync(path, text).program);
  return found;
}

function passesList({ callee, arguments: passed }: CallExpression, text: string): boolean {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false;
  const name = callee.property.name;
  const spreads = passed.some(({ type }) => type === 'SpreadElement');
  const object = text.slice(callee.object.start, callee.object.end);
  if (object === 'Reflect') return name === 'apply';
  if (name === 'apply' || (name === 'call' && spreads)) return takesList(object);
  return spreads && takesList(`${object}.${name}`);
}

/** Whether the function with this name takes any number of arguments. */
function takesList(named: string): boolean {
  return FUNCTIONS.has(named) || METHODS.has(/\.(\w+)$/.exec(named)?.[1] ?? '');
}
