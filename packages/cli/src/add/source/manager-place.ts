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

/** A manager that a source makes. */
interface MadeManager {
  readonly made: NewExpression;
  /** The variable that holds it. */
  readonly variable?: string;
}

type Statements = readonly (Statement | Directive)[];

/** A call `.add(…)` or `.start()` on a manager. */
interface ManagerCall {
  readonly call: CallExpression;
  readonly method: string;
  /** Where it is the expression of a statement: that, and the statements among which it stands. */
  readonly place?: { readonly statement: Span; readonly list: Statements };
  /** Whether the chain begins where the manager is made. */
  readonly fromNew: boolean;
}

/** Whether a source makes a manager. */
export function makesManager(module: SourceModule): boolean {
  return managersOf(module).length > 0;
}

/**
 * What adds a controller to the only manager of a source, before it starts; undefined where there is no such place, or more than one
 * manager. @param local what the controller is called in the source
 */
export function addToManager(module: SourceModule, local: string): TextEdit | undefined {
  const [manager, another] = managersOf(module);
  if (manager === undefined || another !== undefined) return undefined;
  const { made, variable } = manager;
  const calls = callsOn(module, manager);
  const start = calls.find(({ method }) => method === 'start');
  const chained = start === undefined ? undefined : inChain(module, start.call, local);
  if (chained !== undefined) return chained;
  if (variable === undefined) return { start: made.end, text: `.add(${local})` };
  const statement = `${variable}.add(${local})`;
  const declared = declaration(module, made);
  const last = calls.findLast(({ call, method, place, fromNew }) => {
    const isBeforeStart = start === undefined || call.end < start.call.start;
    const isAmong = place !== undefined && [declared?.list, start?.place?.list].includes(place.list);
    return method === 'add' && !fromNew && isBeforeStart && isAmong;
  });
  if (last?.place !== undefined) return statementAfter(module, last.place.statement, statement);
  if (start?.place !== undefined) return statementBefore(module, start.place.statement, statement);
  return declared === undefined ? undefined : statementAfter(module, declared.statement, statement);
}

function managersOf(module: SourceModule): readonly MadeManager[] {
  const names = managerNames(module);
  const found: MadeManager[] = [];
  const variables = new Map<Expression, string>();
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (init !== null && id.type === 'Identifier') variables.set(chainRoot(init), id.name);
    },
    NewExpression: (made) => {
      const { callee } = made;
      const name =
        callee.type === 'Identifier'
          ? callee.name
          : callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && !callee.computed
            ? `${callee.object.name}.${callee.property.type === 'Identifier' ? callee.property.name : ''}`
            : '';
      if (names.includes(name)) found.push({ made });
    },
  }).visit(module.program);
  return found.map(({ made }) => {
    const variable = variables.get(made);
    return variable === undefined ? { made } : { made, variable };
  });
}

/** What `Manager` is called in a source. */
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

/** What a chain of calls begins with. */
function chainRoot(expression: Expression): Expression {
  const inner = innerOf(expression);
  return inner === undefined ? expression : chainRoot(inner);
}

/** What an expression does something with: the object of a call of its method, what is awaited or in brackets. */
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

function callsOn(module: SourceModule, { made, variable }: MadeManager): readonly ManagerCall[] {
  const lists = statementLists(module);
  const calls: ManagerCall[] = [];
  new Visitor({
    CallExpression: (call) => {
      const { callee } = call;
      if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return;
      const root = chainRoot(callee.object);
      const isOfVariable = root.type === 'Identifier' && root.name === variable;
      if (root !== made && !isOfVariable) return;
      const place = placeOf(call, lists);
      const said = { call, method: callee.property.name, fromNew: root === made };
      calls.push(place === undefined ? said : { ...said, place });
    },
  }).visit(module.program);
  return calls.toSorted((a, b) => a.call.end - b.call.end);
}

/** Lists of statements, the inner ones last. */
function statementLists({ program }: SourceModule): readonly Statements[] {
  const lists: Statements[] = [program.body];
  new Visitor({
    BlockStatement: ({ body }) => void lists.push(body),
    StaticBlock: ({ body }) => void lists.push(body),
    SwitchCase: ({ consequent }) => void lists.push(consequent),
  }).visit(program);
  return lists;
}

/** The statement of the innermost list that holds a node. */
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

/** Where a manager is made. */
function declaration(module: SourceModule, made: NewExpression): ManagerCall['place'] {
  return statementOf(made, statementLists(module));
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

/** Whether an expression is a call, or goes on from it: `await call`, `call.then(…)`. */
function isInChain(call: CallExpression, expression: Expression): boolean {
  if (expression === call) return true;
  if (expression.type === 'UnaryExpression') return isInChain(call, expression.argument);
  const inner = innerOf(expression);
  return inner !== undefined && isInChain(call, inner);
}

/** Behind the last `.add(…)` before `.start()` in one chain, or where the chain makes the manager; undefined for another chain. */
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

/** One more link of a chain, on a line of its own where those of the chain are. */
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
