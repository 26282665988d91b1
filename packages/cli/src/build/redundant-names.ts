import { type Class, type Expression, type Node, parseSync, type StaticBlock, Visitor } from 'oxc-parser';
import { edited, type TextEdit } from '../add/source/text-edit.js';

/** The function with which esbuild sets the name of a function or a class. */
const NAME = '__name';

/** A call of `__name` with a function or class, and the name that it sets. */
interface Naming {
  readonly start: number;
  readonly end: number;
  readonly named: Expression;
  readonly name: string;
}

/**
 * Removes the redundant calls of `__name` from a bundle: the calls that set a name that the function or the class already has. esbuild sets
 * the name of every function each time the function is created, because esbuild can rename the function later, and the name of every class
 * in a static block, which V8 compiles like a function. Keeps the calls that set another name. Replaces the removed characters with spaces,
 * so that the source map of the bundle stays valid.
 */
export function withoutRedundantNames(code: string): string {
  const edits: TextEdit[] = [];
  const remove = (start: number, end: number): void => {
    edits.push({ start, end, text: ' '.repeat(end - start) });
  };
  const declared = (target: string | undefined, node: Class): void => {
    const block = namingBlockOf(node, node.id?.name ?? target);
    if (block !== undefined) remove(block.start, block.end);
  };
  /**
   * Removes the call around a function, or in a class, if the function or the class itself has this name, or gets this name from the
   * variable or the property `target`.
   */
  const assigned = (target: string | undefined, value: Node | null): void => {
    if (value?.type === 'ClassExpression') return declared(target, value);
    const naming = namingOf(value);
    if (naming === undefined || assignedName(naming.named, target) !== naming.name) return;
    remove(naming.start, naming.named.start);
    remove(naming.named.end, naming.end);
  };
  new Visitor({
    VariableDeclarator: ({ id, init }) => assigned(nameOf(id), init),
    AssignmentExpression: ({ left, right }) => assigned(nameOf(left), right),
    AssignmentPattern: ({ left, right }) => assigned(nameOf(left), right),
    Property: ({ key, value, computed }) => {
      if (!computed) assigned(keyOf(key), value);
    },
    PropertyDefinition: ({ key, value, computed }) => {
      if (!computed) assigned(key.type === 'PrivateIdentifier' ? `#${key.name}` : keyOf(key), value);
    },
    ClassDeclaration: (node) => declared(undefined, node),
    // esbuild names a declared function in a statement of its own: `function f() {} __name(f, "f");`
    ExpressionStatement: ({ expression }) => {
      const naming = namingOf(expression);
      if (naming !== undefined && nameOf(naming.named) === naming.name) remove(naming.start, naming.end);
    },
  }).visit(parseSync('bundle.mjs', code).program);
  return edited(code, edits);
}

function namingOf(node: Node | null): Naming | undefined {
  if (node?.type !== 'CallExpression' || nameOf(node.callee) !== NAME || node.arguments.length !== 2) return undefined;
  const [named, name] = node.arguments;
  if (named === undefined || named.type === 'SpreadElement' || name?.type !== 'Literal') return undefined;
  return typeof name.value === 'string' ? { start: node.start, end: node.end, named, name: name.value } : undefined;
}

/** Returns the static block that sets the name of a class, if the class has this name without the block. */
function namingBlockOf({ body }: Class, name: string | undefined): StaticBlock | undefined {
  const first = body.body[0];
  if (first?.type !== 'StaticBlock' || first.body.length !== 1 || body.body.some(canBeStaticName)) return undefined;
  const [statement] = first.body;
  const naming = statement?.type === 'ExpressionStatement' ? namingOf(statement.expression) : undefined;
  return naming?.named.type === 'ThisExpression' && naming.name === name ? first : undefined;
}

/** Whether a member of a class can be the static property `name`, which replaces the name of the class. */
function canBeStaticName(member: Class['body']['body'][number]): boolean {
  return 'key' in member && member.static && (member.computed || keyOf(member.key) === 'name');
}

/** Returns the name of a function after it is assigned to a variable or a property with the given name. */
function assignedName(named: Expression, target: string | undefined): string | undefined {
  if (named.type === 'ArrowFunctionExpression') return target;
  return named.type === 'FunctionExpression' ? (named.id?.name ?? target) : undefined;
}

function nameOf(node: Node): string | undefined {
  return node.type === 'Identifier' ? node.name : undefined;
}

/** Returns the key of a property. Returns undefined for `__proto__`, because that key sets the prototype of the object. */
function keyOf(key: Node): string | undefined {
  const name = key.type === 'Literal' && typeof key.value === 'string' ? key.value : nameOf(key);
  return name === '__proto__' ? undefined : name;
}
