import {
  type CallExpression,
  type Directive,
  type Expression,
  type NewExpression,
  type Statement,
  Visitor,
} from 'oxc-parser';
import { importsOf } from './add-import.js';
import { lineEnd, restOfLine, type Span, statementAfter, statementBefore } from './line-place.js';
import type { SourceModule } from './source-module.js';
import type { TextEdit } from './text-edit.js';

/** A manager that a source creates. */
interface ManagerCreation {
  readonly creation: NewExpression;
  /** The variable that contains the manager. */
  readonly variable?: string;
}

type Statements = readonly (Statement | Directive)[];

/** A call of `.add(…)` or `.start()` on a manager. */
interface ManagerCall {
  readonly call: CallExpression;
  readonly method: string;
  /**
   * The statement that makes the call, such as `await manager.start();`, and the list that contains the statement. Undefined if the call is
   * nested in other code, such as an argument or a condition.
   */
  readonly place?: { readonly statement: Span; readonly list: Statements };
  /** Whether the chain of calls begins with the creation of the manager. */
  readonly fromNew: boolean;
}

/** Reports whether a source creates a manager. */
export function makesManager(module: SourceModule): boolean {
  return countManagers(module) > 0;
}

/** Returns the number of managers that a source creates. */
export function countManagers(module: SourceModule): number {
  return managersOf(module).length;
}

/**
 * Returns the edit that adds a controller to the only manager of a source, before the manager starts. Returns undefined if the source
 * creates several managers or none, or if no position before `start` is suitable.
 * @param local the name of the controller in the source
 */
export function addToManager(module: SourceModule, local: string): TextEdit | undefined {
  const [manager, another] = managersOf(module);
  if (manager === undefined || another !== undefined) return undefined;
  const { creation, variable } = manager;
  const calls = callsOn(module, manager);
  const start = calls.find(({ method }) => method === 'start');
  const chained = start === undefined ? undefined : inChain(module, start.call, local);
  if (chained !== undefined) return chained;
  if (variable === undefined) return { start: creation.end, text: `.add(${local})` };
  const statement = `${variable}.add(${local})`;
  const declared = declaration(module, creation);
  const last = calls.findLast(({ call, method, place, fromNew }) => {
    const isBeforeStart = start === undefined || call.end < start.call.start;
    const isAmong = place !== undefined && [declared?.list, start?.place?.list].includes(place.list);
    return method === 'add' && !fromNew && isBeforeStart && isAmong;
  });
  if (last?.place !== undefined) return statementAfter(module, last.place.statement, statement);
  if (start?.place !== undefined) return statementBefore(module, start.place.statement, statement);
  return declared === undefined ? undefined : statementAfter(module, declared.statement, statement);
}

function managersOf(module: SourceModule): readonly ManagerCreation[] {
  const names = managerNames(module);
  const found: ManagerCreation[] = [];
  const variables = new Map<Expression, string>();
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (init !== null && id.type === 'Identifier') variables.set(chainRoot(init), id.name);
    },
    NewExpression: (creation) => {
      const { callee } = creation;
      const name =
        callee.type === 'Identifier'
          ? callee.name
          : callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && !callee.computed
            ? `${callee.object.name}.${callee.property.type === 'Identifier' ? callee.property.name : ''}`
            : '';
      if (names.includes(name)) found.push({ creation });
    },
  }).visit(module.program);
  return found.map(({ creation }) => {
    const variable = variables.get(creation);
    return variable === undefined ? { creation } : { creation, variable };
  });
}

/** Returns the local names of `Manager` in a source. */
function managerNames(module: SourceModule): readonly string[] {
  return importsOf(module).flatMap(({ source, specifiers }) => {
    if (source.value !== '@kubewright/runtime') return [];
    return specifiers.flatMap((specifier) => {
      if (specifier.type === 'ImportNamespaceSpecifier') return [`${specifier.local.name}.Manager`];
      if (specifier.type !== 'ImportSpecifier') return [];
      const { imported } = specifier;
      return imported.type === 'Identifier' && imported.name === 'Manager' ? [specifier.local.name] : [];
    });
  });
}

/** Returns the expression at the start of a chain of calls: `a` for `await a.b().c()`. */
function chainRoot(expression: Expression): Expression {
  const inner = innerOf(expression);
  return inner === undefined ? expression : chainRoot(inner);
}

/** Returns the object of a method call, or the operand of `await`, parentheses, or a type assertion; undefined for other expressions. */
function innerOf(expression: Expression): Expression | undefined {
  switch (expression.type) {
    case 'CallExpression':
      return expression.callee.type === 'MemberExpression' ? expression.callee.object : undefined;
    case 'AwaitExpression':
      return expression.argument;
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return expression.expression;
    default:
      return undefined;
  }
}

function callsOn(module: SourceModule, { creation, variable }: ManagerCreation): readonly ManagerCall[] {
  const lists = statementLists(module);
  const calls: ManagerCall[] = [];
  new Visitor({
    CallExpression: (call) => {
      const { callee } = call;
      if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return;
      const root = chainRoot(callee.object);
      const isOfVariable = root.type === 'Identifier' && root.name === variable;
      if (root !== creation && !isOfVariable) return;
      const place = placeOf(call, lists);
      const details = { call, method: callee.property.name, fromNew: root === creation };
      calls.push(place === undefined ? details : { ...details, place });
    },
  }).visit(module.program);
  return calls.toSorted((a, b) => a.call.end - b.call.end);
}

/** Returns all lists of statements, inner lists last. */
function statementLists({ program }: SourceModule): readonly Statements[] {
  const lists: Statements[] = [program.body];
  new Visitor({
    BlockStatement: ({ body }) => void lists.push(body),
    StaticBlock: ({ body }) => void lists.push(body),
    SwitchCase: ({ consequent }) => void lists.push(consequent),
  }).visit(program);
  return lists;
}

/** Returns the statement that contains a node, in the innermost list. */
function statementOf(
  node: Span,
  lists: readonly Statements[],
): { statement: Statement | Directive; list: Statements } | undefined {
  for (const list of lists.toReversed()) {
    const statement = list.find(({ start, end }) => start <= node.start && node.end <= end);
    if (statement !== undefined) return { statement, list };
  }
  return undefined;
}

function placeOf(call: CallExpression, lists: readonly Statements[]): ManagerCall['place'] {
  const found = statementOf(call, lists);
  return found !== undefined && expressionsOf(found.statement).some((each) => isInChain(call, each))
    ? found
    : undefined;
}

/** Returns the statement that creates a manager. */
function declaration(module: SourceModule, creation: NewExpression): ManagerCall['place'] {
  return statementOf(creation, statementLists(module));
}

function expressionsOf(statement: Statement | Directive): readonly Expression[] {
  switch (statement.type) {
    case 'ExpressionStatement':
      return [statement.expression];
    case 'ReturnStatement':
      return statement.argument === null ? [] : [statement.argument];
    case 'VariableDeclaration':
      return statement.declarations.flatMap(({ init }) => init ?? []);
    default:
      return [];
  }
}

/** Reports whether an expression is the call itself or a chain that starts with the call: `await call`, `call.then(…)`. */
function isInChain(call: CallExpression, expression: Expression): boolean {
  if (expression === call) return true;
  if (expression.type === 'UnaryExpression') return isInChain(call, expression.argument);
  const inner = innerOf(expression);
  return inner !== undefined && isInChain(call, inner);
}

/**
 * Returns the edit that adds an `.add(…)` call after the last `.add(…)` before `.start()`, or after the creation of the manager. Returns
 * undefined if the chain of calls contains neither.
 */
function inChain(module: SourceModule, start: CallExpression, local: string): TextEdit | undefined {
  let outer = start;
  for (let at = innerOf(start); at !== undefined; at = innerOf(at)) {
    if (at.type === 'CallExpression' && methodOf(at) === 'add')
      return linkAfter(module, { link: at, model: at, local });
    if (at.type === 'NewExpression') return linkAfter(module, { link: at, model: outer, local });
    if (at.type === 'CallExpression') outer = at;
  }
  return undefined;
}

function methodOf({ callee }: CallExpression): string | undefined {
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : undefined;
}

/**
 * Returns the edit that inserts `.add(…)` after `link` in a chain of calls. If `model`, a call of the chain, is on a separate line, the
 * inserted call is also on a separate line.
 */
function linkAfter(
  module: SourceModule,
  { link, model, local }: { readonly link: Span; readonly model: CallExpression; readonly local: string },
): TextEdit {
  const { callee } = model;
  const between = callee.type === 'MemberExpression' ? module.text.slice(callee.object.end, callee.property.start) : '';
  const [, margin] = /\n([^\S\r\n]*)\.[^\n]*$/.exec(between) ?? [];
  const line = restOfLine(module, link.end);
  if (margin === undefined || line === undefined) return { start: link.end, text: `.add(${local})` };
  return { start: line, text: `${lineEnd(module.text)}${margin}.add(${local})` };
}
