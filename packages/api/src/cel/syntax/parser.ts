import { messageOf } from '../../errors/message-of.js';
import { isDeeperThan } from './expression-depth.js';
import type { Entry, Expression } from './expression.js';
import { RE_RESERVED, RESERVED_WORDS, START_SET } from './grammar.js';
import { tokenize, type Token, type Tokens } from './lexer.js';
import { expandMacro, type MacroCall } from './macros.js';
import { parseNumber } from './number-literal.js';
import { type ExpressionErrors, expressionErrors, type SourceIssue } from './source-issues.js';
import { unescapeBytes, unescapeString } from './unescape-literal.js';

/** The parsed expression, or its errors. */
export type Parsed = { readonly expression: Expression } | ExpressionErrors;

const LONGEST = 100_000;
const DEEPEST = 250;

/**
 * Parses an expression and expands its macros. The time is linear in the length. Rejects expressions of more than 100,000 characters or 250
 * nested levels, which limits the recursion of the type checker and the evaluator.
 */
export function parse(source: string): Parsed {
  const length = Array.from(source).length;
  if (length > LONGEST) {
    const message = `expression code point size exceeds limit: size: ${length}, limit ${LONGEST}`;
    return expressionErrors(source, [{ at: -1, message }]);
  }
  const tokens = tokenize(source);
  const parser = new Parser(tokens);
  const expression = parser.run();
  const issues = [...tokens.issues, ...parser.issues];
  if (expression !== undefined && issues.length === 0 && isDeeperThan(expression, 4 * DEEPEST)) {
    issues.push({ at: -1, message: `expression recursion limit exceeded: ${DEEPEST}` });
  }
  if (expression === undefined || issues.length > 0) return expressionErrors(source, issues);
  return { expression };
}

/** Thrown to stop parsing an expression after an unrecoverable error. */
class Halt extends Error {}

const RELATIONS = ['<', '<=', '>=', '>', '==', '!=', 'in'];
const FACTORS = ['*', '/', '%'];
const TERMS = ['+', '-'];

class Parser {
  readonly issues: SourceIssue[] = [];
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor({ tokens }: Tokens) {
    this.#tokens = tokens;
  }

  run(): Expression | undefined {
    try {
      const expression = this.#expression();
      this.#end();
      return expression;
    } catch (error) {
      if (error instanceof Halt) return undefined;
      throw error;
    }
  }

  get #token(): Token {
    return this.#tokens[Math.min(this.#next, this.#tokens.length - 1)] as Token;
  }

  #is(text: string): boolean {
    return this.#token.kind === 'punctuation' && this.#token.text === text;
  }

  #take(): Token {
    const token = this.#token;
    this.#next += 1;
    return token;
  }

  #accept(text: string): Token | undefined {
    return this.#is(text) ? this.#take() : undefined;
  }

  #expect(text: string, expecting = `'${text}'`): Token {
    const found = this.#accept(text);
    if (found !== undefined) return found;
    const { at, text: actual } = this.#token;
    const following = this.#tokens[this.#next + 1];
    if (following?.kind === 'punctuation' && following.text === text) {
      this.#report(at, `Syntax error: extraneous input '${actual}' expecting ${expecting}`);
      this.#next += 1;
      return this.#take();
    }
    if (text === ':' && startsExpression(this.#token)) {
      this.#report(at, `Syntax error: missing ':' at '${actual}'`);
      return this.#token;
    }
    const isSingle = text === ')' || (text === ']' && expecting === "']'");
    if (isSingle && this.#token.kind === 'EOF') {
      return this.#halt(at, `Syntax error: missing '${text}' at '${actual}'`);
    }
    return this.#halt(at, `Syntax error: mismatched input '${actual}' expecting ${expecting}`);
  }

  #end(): void {
    const { kind, at, text } = this.#token;
    if (kind === 'EOF') return;
    const single = this.#tokens[this.#next + 1]?.kind === 'EOF';
    this.#report(at, `Syntax error: ${single ? 'extraneous' : 'mismatched'} input '${text}' expecting <EOF>`);
  }

  #report(at: number, message: string): void {
    this.issues.push({ at, message });
  }

  #halt(at: number, message: string): never {
    this.#report(at, message);
    throw new Halt();
  }

  #deeper<T>(levels: number, run: () => T): T {
    this.#depth += levels;
    if (this.#depth > DEEPEST) this.#halt(-1, `expression recursion limit exceeded: ${DEEPEST}`);
    const result = run();
    this.#depth -= levels;
    return result;
  }

  #expression(): Expression {
    return this.#deeper(1, () => {
      const condition = this.#logical('||', () => this.#logical('&&', () => this.#binary(0)));
      const symbol = this.#accept('?');
      if (symbol === undefined) return condition;
      const yes = this.#logical('||', () => this.#logical('&&', () => this.#binary(0)));
      this.#expect(':');
      const no = this.#expression();
      return call('_?_:_', symbol, condition, yes, no);
    });
  }

  #logical(operator: '||' | '&&', term: () => Expression): Expression {
    const terms = [term()];
    const symbols: Token[] = [];
    for (let symbol = this.#accept(operator); symbol !== undefined; symbol = this.#accept(operator)) {
      symbols.push(symbol);
      terms.push(term());
    }
    return balanced(`_${operator}_`, terms, symbols);
  }

  #binary(level: number): Expression {
    const operators = [RELATIONS, TERMS, FACTORS][level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    let chained = 0;
    while (this.#token.kind === 'punctuation' && operators.includes(this.#token.text)) {
      const symbol = this.#take();
      chained += 1;
      const right = this.#deeper(chained, () => this.#binary(level + 1));
      left = call(symbol.text === 'in' ? '@in' : `_${symbol.text}_`, symbol, left, right);
    }
    return left;
  }

  #unary(): Expression {
    this.#checkStart({});
    const first = this.#token;
    for (const [sign, name] of [
      ['!', '!_'],
      ['-', '-_'],
    ] as const) {
      if (!this.#is(sign)) continue;
      if (this.#isNegative()) break;
      let times = 0;
      while (this.#accept(sign) !== undefined) times += 1;
      const operand = this.#member();
      return times % 2 === 0 ? operand : call(name, first, operand);
    }
    return this.#member();
  }

  /** Whether a minus sign and a number follow, which form a single literal. */
  #isNegative(): boolean {
    const following = this.#tokens[this.#next + 1]?.kind;
    return this.#is('-') && (following === 'NUM_INT' || following === 'NUM_FLOAT');
  }

  #member(): Expression {
    let operand = this.#primary();
    for (let chained = 1; this.#is('.') || this.#is('['); chained++) {
      const within = operand;
      operand = this.#deeper(chained, () => (this.#is('.') ? this.#select(within) : this.#index(within)));
    }
    return operand;
  }

  #select(operand: Expression): Expression {
    const dot = this.#take();
    const optional = this.#accept('?') !== undefined;
    const name = this.#token;
    if (name.kind === 'ESC_IDENTIFIER') this.#report(name.at, "unsupported syntax: '`'");
    else if (name.kind !== 'IDENTIFIER') this.#noField(dot, optional, name);
    this.#take();
    if (optional) {
      const field: Expression = { kind: 'literal', at: name.at, value: name.text };
      return call('_?._', dot, operand, field);
    }
    const open = this.#accept('(');
    if (open === undefined) return { kind: 'select', at: dot.at, operand, field: name.text, test: false };
    return this.#callOrMacro({ at: open.at, name: name.text, target: operand, args: this.#arguments() });
  }

  #noField(dot: Token, optional: boolean, { kind, at, text }: Token): never {
    if (RE_RESERVED.test(text)) this.#halt(at, `Syntax error: mismatched input '${text}' expecting IDENTIFIER`);
    const read = `${dot.text}${optional ? '?' : ''}${kind === 'EOF' ? '' : text}`;
    return this.#halt(at, `Syntax error: no viable alternative at input '${read}'`);
  }

  #index(operand: Expression): Expression {
    const open = this.#take();
    const optional = this.#accept('?') !== undefined;
    if (!optional) this.#checkStart({ optional: true });
    const index = this.#expression();
    this.#expect(']');
    return call(optional ? '_[?_]' : '_[_]', open, operand, index);
  }

  #arguments(): readonly Expression[] {
    if (this.#accept(')') !== undefined) return [];
    this.#checkStart({ close: true });
    const args = [this.#expression()];
    while (this.#accept(',') !== undefined) args.push(this.#expression());
    this.#expect(')', this.#is(',') ? "')'" : "{')', ','}");
    return args;
  }

  #callOrMacro(found: MacroCall): Expression {
    const expansion = expandMacro(found);
    if (expansion === undefined) return { kind: 'call', ...found };
    if ('expression' in expansion) return expansion.expression;
    this.#report(expansion.at, expansion.error);
    return { kind: 'literal', at: found.at, value: null };
  }

  #primary(): Expression {
    this.#checkStart({});
    const token = this.#token;
    switch (token.kind) {
      case 'IDENTIFIER':
        return this.#named('', token);
      case 'NUM_INT':
      case 'NUM_UINT':
      case 'NUM_FLOAT':
        return this.#number('');
      case 'STRING':
      case 'BYTES':
        return this.#text();
      default:
        return this.#symbol(token);
    }
  }

  #symbol(token: Token): Expression {
    switch (token.text) {
      case '(':
        return this.#nested();
      case '[':
        return this.#list();
      case '{':
        return this.#map();
      case '-':
        if (!this.#isNegative()) return this.#noOperand();
        this.#take();
        return this.#number('-', token.at);
      case '!':
        return this.#halt(token.at, "Syntax error: no viable alternative at input '-!'");
      case '.':
        this.#take();
        if (this.#token.kind !== 'IDENTIFIER') this.#noField(token, false, this.#token);
        return this.#named('.', this.#token);
      default:
        this.#take();
        return { kind: 'literal', at: token.at, value: token.text === 'null' ? null : token.text === 'true' };
    }
  }

  /** Reports an error for a minus sign that is not followed by a number, such as the second sign in `--a`. */
  #noOperand(): never {
    this.#take();
    const { kind, text, at } = this.#token;
    return this.#halt(at, `Syntax error: no viable alternative at input '-${kind === 'EOF' ? '' : text}'`);
  }

  #checkStart({ optional = false, close = false }): void {
    const { kind, text, at } = this.#token;
    if (startsExpression(this.#token) || (optional && this.#is('?'))) return;
    const set = START_SET.filter((word) => (word !== "'?'" || optional) && (word !== "')'" || close)).join(', ');
    const following = this.#tokens[this.#next + 1];
    if (kind !== 'EOF' && following !== undefined && startsExpression(following)) {
      this.#report(at, `Syntax error: extraneous input '${text}' expecting {${set}}`);
      this.#next += 1;
      return;
    }
    this.#halt(at, `Syntax error: mismatched input '${text}' expecting {${set}}`);
  }

  #nested(): Expression {
    this.#take();
    const inner = this.#expression();
    this.#expect(')');
    return inner;
  }

  #named(dot: string, token: Token): Expression {
    this.#take();
    const name = dot + token.text;
    const open = this.#accept('(');
    if (RESERVED_WORDS.includes(token.text)) this.#report(token.at, `reserved identifier: ${token.text}`);
    if (open !== undefined) {
      return this.#callOrMacro({ at: open.at, name, target: undefined, args: this.#arguments() });
    }
    return this.#struct(name) ?? { kind: 'ident', at: token.at, name };
  }

  /** Parses `a.b.C{field: value}`. Returns undefined if the tokens are not an object literal. */
  #struct(name: string): Expression | undefined {
    let end = this.#next;
    while (this.#tokens[end]?.text === '.' && this.#tokens[end + 1]?.kind === 'IDENTIFIER') end += 2;
    const open = this.#tokens[end];
    if (open?.kind !== 'punctuation' || open.text !== '{') return undefined;
    const rest = this.#tokens.slice(this.#next, end).map(({ text }) => text);
    this.#next = end + 1;
    const entries = this.#entries((optional, isFirst): Entry<string> => {
      const field = this.#take();
      if (field.kind !== 'IDENTIFIER') {
        const others = optional ? '' : "'}', ',', '?', ";
        const expected = optional || isFirst ? `{${others}IDENTIFIER, ESC_IDENTIFIER}` : "'}'";
        this.#halt(field.at, `Syntax error: mismatched input '${field.text}' expecting ${expected}`);
      }
      const colon = this.#expect(':');
      return { at: colon.at, key: field.text, value: this.#expression(), optional };
    });
    return { kind: 'struct', at: open.at, typeName: name + rest.join(''), entries };
  }

  #list(): Expression {
    const open = this.#take();
    const optional: boolean[] = [];
    const elements: Expression[] = [];
    while (!this.#is(']')) {
      optional.push(this.#accept('?') !== undefined);
      elements.push(this.#expression());
      if (this.#accept(',') === undefined) break;
    }
    this.#expect(']', "{']', ','}");
    return { kind: 'list', at: open.at, elements, optional };
  }

  #map(): Expression {
    const open = this.#take();
    const entries = this.#entries((optional): Entry<Expression> => {
      const key = this.#expression();
      const colon = this.#expect(':');
      return { at: colon.at, key, value: this.#expression(), optional };
    });
    return { kind: 'map', at: open.at, entries };
  }

  #entries<Key>(entry: (optional: boolean, isFirst: boolean) => Entry<Key>): readonly Entry<Key>[] {
    const entries: Entry<Key>[] = [];
    while (!this.#is('}')) {
      entries.push(entry(this.#accept('?') !== undefined, entries.length === 0));
      if (this.#accept(',') === undefined) break;
    }
    this.#expect('}', "{'}', ','}");
    return entries;
  }

  #number(sign: '' | '-', at = this.#token.at): Expression {
    const { kind, text } = this.#take();
    const value = parseNumber(kind, sign + text);
    if (typeof value !== 'string') return { kind: 'literal', at, value };
    this.#report(at, value);
    return { kind: 'literal', at, value: 0n };
  }

  #text(): Expression {
    const { kind, text, at } = this.#take();
    try {
      return { kind: 'literal', at, value: kind === 'BYTES' ? unescapeBytes(text) : unescapeString(text) };
    } catch (error) {
      this.#report(at, messageOf(error));
      return { kind: 'literal', at, value: '' };
    }
  }
}

const STARTS = ['[', '{', '(', '.', '-', '!', 'true', 'false', 'null'];

function startsExpression({ kind, text }: Token): boolean {
  if (kind === 'punctuation') return STARTS.includes(text);
  return kind !== 'EOF' && kind !== 'ESC_IDENTIFIER';
}

function call(name: string, { at }: Token, ...args: readonly Expression[]): Expression {
  return { kind: 'call', at, name, target: undefined, args };
}

/** Builds a balanced tree from a chain of && or ||, which reduces the depth without changing the result. */
function balanced(name: string, terms: readonly Expression[], symbols: readonly Token[]): Expression {
  const [only] = terms;
  const middle = symbols.length >> 1;
  const symbol = symbols[middle];
  if (symbol === undefined) return only as Expression;
  const left = balanced(name, terms.slice(0, middle + 1), symbols.slice(0, middle));
  const right = balanced(name, terms.slice(middle + 1), symbols.slice(middle + 1));
  return call(name, symbol, left, right);
}
