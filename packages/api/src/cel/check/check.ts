import {
  type CelType,
  celTypes,
  formatType,
  isDynOrError,
  listOf,
  mapOf,
  optionalOf,
  sameType,
  typeOf,
  withinOptional,
} from '../values/cel-type.js';
import { CelUint, type CelValue } from '../values/cel-value.js';
import { type Environment, typeNamed } from './environment.js';
import {
  type Call,
  type Comprehension,
  type Expression,
  type ListLiteral,
  type MapLiteral,
  qualifiedName,
  type Select,
  type StructLiteral,
} from '../syntax/expression.js';
import { RESERVED_WORDS } from '../syntax/grammar.js';
import type { Overload } from './overload.js';
import type { UnknownName } from '../../schema/field-error.js';
import type { SourceIssue } from '../syntax/source-issues.js';
import { instantiate, mostGeneral, TypeUnification } from './type-unification.js';

/** The results of type checking an expression. The maps are keyed by the subexpressions, which are compared by object identity. */
export interface CheckedExpression {
  readonly expression: Expression;
  /** The type of each subexpression. */
  readonly types: ReadonlyMap<Expression, CelType>;
  /** The overloads that each call can use. A call has several overloads if a type is known only at run time. */
  readonly overloads: ReadonlyMap<Expression, readonly Overload[]>;
  /** The full name for each subexpression that is the name of a type, a variable or a function. A chain of selects can be a single name. */
  readonly names: ReadonlyMap<Expression, string>;
  readonly issues: readonly SourceIssue[];
}

/** Determines the types of an expression and of all its subexpressions, and reports type errors. */
export function check(expression: Expression, environment: Environment): CheckedExpression {
  return new Checker(environment).run(expression);
}

class Scope {
  readonly #parent: Scope | undefined;
  readonly #variables: ReadonlyMap<string, CelType>;

  constructor(variables: ReadonlyMap<string, CelType>, parent?: Scope) {
    this.#variables = variables;
    this.#parent = parent;
  }

  find(name: string): CelType | undefined {
    return this.#variables.get(name) ?? this.#parent?.find(name);
  }

  names(): readonly string[] {
    return [...this.#variables.keys(), ...(this.#parent?.names() ?? [])];
  }
}

class Checker {
  readonly #environment: Environment;
  readonly #unification = new TypeUnification();
  readonly #types = new Map<Expression, CelType>();
  readonly #overloads = new Map<Expression, readonly Overload[]>();
  readonly #names = new Map<Expression, string>();
  readonly #issues: SourceIssue[] = [];
  #scope: Scope;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#scope = new Scope(environment.variables);
  }

  run(expression: Expression): CheckedExpression {
    this.#check(expression);
    const types = new Map<Expression, CelType>();
    for (const [part, type] of this.#types) types.set(part, this.#unification.finalize(type));
    return { expression, types, overloads: this.#overloads, names: this.#names, issues: this.#issues };
  }

  #check(expression: Expression): CelType {
    const type = this.#typeOf(expression);
    this.#types.set(expression, type);
    return type;
  }

  #typeOf(expression: Expression): CelType {
    switch (expression.kind) {
      case 'literal':
        return literalType(expression.value);
      case 'ident':
        return this.#ident(expression, expression.name) ?? this.#undeclaredVariable(expression.at, expression.name);
      case 'select':
        return this.#select(expression);
      case 'call':
        return this.#call(expression);
      case 'list':
        return this.#list(expression);
      case 'map':
        return this.#map(expression);
      case 'struct':
        return this.#struct(expression);
      case 'comprehension':
        return this.#comprehension(expression);
    }
  }

  #report(at: number, message: string, unknown?: UnknownName): CelType {
    this.#issues.push({ at, message, ...(unknown !== undefined && { unknown }) });
    return celTypes.error;
  }

  #undeclared(at: number, name: string, unknown?: UnknownName): CelType {
    return this.#report(at, `undeclared reference to '${name}' (in container '')`, unknown);
  }

  #undeclaredVariable(at: number, name: string): CelType {
    return this.#undeclared(at, name, { name, known: this.#scope.names().filter(isIdentifier) });
  }

  #undeclaredFunction(at: number, name: string): CelType {
    return this.#undeclared(at, name, { name, known: [...this.#environment.functions.keys()].filter(isIdentifier) });
  }

  #undefinedField(at: number, name: string, known: Iterable<string>): CelType {
    return this.#report(at, `undefined field '${name}'`, { name, known: [...known] });
  }

  #mismatch(at: number, expected: CelType, actual: CelType): CelType {
    return this.#report(at, `expected type '${formatType(expected)}' but found '${formatType(actual)}'`);
  }

  #ident(expression: Expression, written: string): CelType | undefined {
    const name = written.replace(/^\./, '');
    const type = this.#scope.find(name) ?? typeNamed(name) ?? this.#constructibleType(name);
    if (type !== undefined) this.#names.set(expression, name);
    return type;
  }

  #constructibleType(name: string): CelType | undefined {
    const type = this.#environment.constructible?.find(name);
    return type === undefined ? undefined : typeOf(type);
  }

  #select(select: Select): CelType {
    const name = qualifiedName(select);
    const named = name === undefined ? undefined : this.#ident(select, name);
    if (named !== undefined) return named;
    const field = this.#field(select, select.operand, select.field);
    return select.test ? celTypes.bool : this.#unification.resolve(field);
  }

  /** Returns the type of a field. The type is optional if the type of the operand is optional. */
  #field(at: Expression, operand: Expression, field: string): CelType {
    const operandType = this.#unification.resolve(this.#check(operand));
    const within = withinOptional(operandType);
    const type = this.#fieldOf(within ?? operandType, field, at.at);
    return within === undefined ? type : optionalOf(type);
  }

  #fieldOf(type: CelType, field: string, at: number): CelType {
    if (type.kind === 'map') return type.parameters[1] ?? celTypes.dyn;
    if (type.kind === 'struct') {
      const { constructible } = this.#environment;
      if (constructible?.find(type.name) !== undefined)
        return dynIfUnspecified(this.#constructibleField(type, field, at));
      const fields = this.#environment.objects.get(type.name);
      if (fields === undefined) return this.#report(at, `unexpected failed resolution of '${type.name}'`);
      const reserved = RESERVED_WORDS.includes(field) ? fields.get(`__${field}__`) : undefined;
      return fields.get(field) ?? reserved ?? this.#undefinedField(at, field, fields.keys());
    }
    if (type.kind === 'param') {
      this.#unification.assignable(celTypes.dyn, type);
      return celTypes.dyn;
    }
    if (!isDynOrError(type)) this.#report(at, `type '${formatType(type)}' does not support field selection`);
    return celTypes.dyn;
  }

  #call(call: Call): CelType {
    if (call.name === '_?._') return this.#optionalSelect(call);
    for (const argument of call.args) this.#check(argument);
    const name = this.#functionName(call);
    const functions = this.#environment.functions.get(name.replace(/^\./, ''));
    const target = name === call.name ? call.target : undefined;
    if (target !== undefined) this.#check(target);
    if (functions === undefined) return this.#undeclaredFunction(call.at, call.name);
    if (name !== call.name) this.#names.set(call, name);
    return this.#resolve(call, functions, target);
  }

  /** Returns the name of the called function. `a.b.c()` can call a function that is named `a.b.c`. */
  #functionName({ name, target }: Call): string {
    const prefix = target === undefined ? undefined : qualifiedName(target);
    if (prefix === undefined) return name;
    const whole = `${prefix}.${name}`;
    return this.#environment.functions.has(whole.replace(/^\./, '')) ? whole : name;
  }

  #optionalSelect(call: Call): CelType {
    const [operand, field] = call.args;
    if (operand === undefined || field?.kind !== 'literal' || typeof field.value !== 'string') {
      return this.#report(call.at, 'unsupported optional field selection');
    }
    this.#types.set(field, celTypes.string);
    const type = this.#field(call, operand, field.value);
    return this.#unification.resolve(withinOptional(type) === undefined ? optionalOf(type) : type);
  }

  #resolve(call: Call, overloads: readonly Overload[], target: Expression | undefined): CelType {
    const parts = target === undefined ? call.args : [target, ...call.args];
    const types = parts.map((part) => this.#types.get(part) ?? celTypes.dyn);
    if (call.name === '_&&_' || call.name === '_||_') return this.#logical(call, overloads, types);
    const fitting: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of overloads) {
      if (overload.member !== (target !== undefined)) continue;
      const { args, result: declared } = this.#fresh(overload);
      if (!this.#unification.allAssignable(types, args)) continue;
      fitting.push(overload);
      const actual = this.#unification.resolve(declared);
      if (result === undefined) result = actual;
      else if (result.kind !== 'dyn' && !sameType(actual, result)) result = celTypes.dyn;
    }
    if (result === undefined) return this.#noOverload(call, types, target !== undefined);
    this.#overloads.set(call, fitting);
    return result;
  }

  #logical(call: Call, overloads: readonly Overload[], types: readonly CelType[]): CelType {
    let failed = false;
    for (const [index, type] of types.entries()) {
      if (this.#unification.assignable(type, celTypes.bool)) continue;
      this.#mismatch(call.args[index]?.at ?? call.at, celTypes.bool, type);
      failed = true;
    }
    this.#overloads.set(call, overloads);
    return failed ? celTypes.error : celTypes.bool;
  }

  #noOverload(call: Call, types: readonly CelType[], member: boolean): CelType {
    const texts = types.map((type) => formatType(this.#unification.finalize(type)));
    const [first, ...rest] = texts;
    const signature = member ? `${first}.(${rest.join(', ')})` : `(${texts.join(', ')})`;
    const name = this.#names.get(call) ?? call.name;
    return this.#report(call.at, `found no matching overload for '${name}' applied to '${signature}'`);
  }

  /** Returns the types of an overload with fresh type variables. */
  #fresh({ args, result }: Overload): Pick<Overload, 'args' | 'result'> {
    const names = new Set<string>();
    for (const type of [...args, result]) collectParameters(type, names);
    if (names.size === 0) return { args, result };
    const fresh = new Map(Array.from(names, (name) => [name, this.#unification.variable()]));
    return { args: args.map((type) => instantiate(type, fresh)), result: instantiate(result, fresh) };
  }

  #list({ elements, optional }: ListLiteral): CelType {
    let joined: CelType | undefined;
    for (const [index, element] of elements.entries()) {
      const type = this.#unwrapped(element, optional[index] === true);
      joined = this.#join(joined, type);
    }
    return listOf(joined ?? this.#unification.variable());
  }

  #map({ entries }: MapLiteral): CelType {
    let key: CelType | undefined;
    let value: CelType | undefined;
    for (const entry of entries) {
      key = this.#join(key, this.#check(entry.key));
      value = this.#join(value, this.#unwrapped(entry.value, entry.optional));
    }
    return mapOf(key ?? this.#unification.variable(), value ?? this.#unification.variable());
  }

  #unwrapped(element: Expression, optional: boolean): CelType {
    const type = this.#check(element);
    if (!optional) return type;
    const within = withinOptional(type);
    if (within === undefined && type.kind !== 'dyn') this.#mismatch(element.at, optionalOf(type), type);
    return within ?? type;
  }

  /**
   * Returns the common type of two elements, or `dyn` for mixed types. `literalIssues` reports mixed types if the expression is otherwise
   * valid.
   */
  #join(previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current;
    return this.#unification.assignable(previous, current) ? mostGeneral(previous, current) : celTypes.dyn;
  }

  #constructibleField(type: CelType, field: string, at: number): CelType {
    const { constructible } = this.#environment;
    const known = constructible?.names(type.name) ?? [];
    return constructible?.field(type.name, field) ?? this.#undefinedField(at, field, known);
  }

  #struct(literal: StructLiteral): CelType {
    const { at, typeName, entries } = literal;
    const type = this.#environment.constructible?.find(typeName.replace(/^\./, ''));
    if (type === undefined) {
      for (const { value } of entries) this.#check(value);
      const isType = this.#scope.find(typeName) === undefined && typeNamed(typeName) !== undefined;
      return isType ? this.#report(at, `'${typeName}' is not a message type`) : this.#undeclaredType(at, typeName);
    }
    this.#names.set(literal, type.name);
    for (const entry of entries) this.#initializer(type, entry);
    return type;
  }

  #undeclaredType(at: number, typeName: string): CelType {
    const end = typeName.lastIndexOf('.');
    const known = this.#environment.constructible?.names(typeName.slice(0, Math.max(0, end))) ?? [];
    return this.#undeclared(at, typeName, { name: typeName.slice(end + 1), known });
  }

  #initializer(type: CelType, { at, key, value, optional }: StructLiteral['entries'][number]): void {
    const actual = this.#unwrapped(value, optional);
    const declared = this.#constructibleField(type, key, at);
    if (this.#unification.assignable(declared, actual)) return;
    const types = `'${formatType(declared)}' but provided type is '${formatType(actual)}'`;
    this.#report(at, `expected type of field '${key}' is ${types}`);
  }

  #comprehension(loop: Comprehension): CelType {
    const range = this.#check(loop.range);
    const accumulator = this.#check(loop.init);
    const [first, second] = this.#elementTypes(this.#unification.resolve(range), loop);
    const outer = this.#scope;
    const accumulated = new Scope(new Map([[loop.accumulator, accumulator]]), outer);
    const variables = new Map([[loop.variable, first]]);
    if (loop.second !== undefined) variables.set(loop.second, second);
    this.#scope = new Scope(variables, accumulated);
    this.#assert(loop.condition, celTypes.bool);
    this.#assert(loop.step, accumulator);
    this.#scope = accumulated;
    const result = this.#check(loop.result);
    this.#scope = outer;
    return this.#unification.resolve(result);
  }

  #elementTypes(range: CelType, { range: { at }, second }: Comprehension): readonly [CelType, CelType] {
    const [first = celTypes.dyn, value = celTypes.dyn] = range.parameters;
    switch (range.kind) {
      case 'list':
        return second === undefined ? [first, first] : [celTypes.int, first];
      case 'map':
        return [first, value];
      case 'dyn':
      case 'error':
      case 'param':
        this.#unification.assignable(celTypes.dyn, range);
        return [celTypes.dyn, celTypes.dyn];
      default: {
        const what = `expression of type '${formatType(range)}' cannot be range of a comprehension`;
        const type = this.#report(at, `${what} (must be list, map, or dynamic)`);
        return [type, type];
      }
    }
  }

  #assert(expression: Expression, expected: CelType): void {
    const actual = this.#check(expression);
    if (!this.#unification.assignable(expected, actual)) this.#mismatch(expression.at, expected, actual);
  }
}

/**
 * Whether a name can be suggested. False for the names of operators and of internal variables of macros, which do not start with a letter.
 */
function isIdentifier(name: string): boolean {
  return /^[A-Za-z][\w.]*$/.test(name);
}

function dynIfUnspecified(type: CelType): CelType {
  return type.kind === 'unspecified' ? celTypes.dyn : type;
}

function literalType(value: CelValue): CelType {
  switch (typeof value) {
    case 'string':
      return celTypes.string;
    case 'boolean':
      return celTypes.bool;
    case 'bigint':
      return celTypes.int;
    case 'number':
      return celTypes.double;
    default:
      if (value === null) return celTypes.null;
      return value instanceof CelUint ? celTypes.uint : celTypes.bytes;
  }
}

function collectParameters(type: CelType, names: Set<string>): void {
  if (type.kind === 'param') names.add(type.name);
  for (const parameter of type.parameters) collectParameters(parameter, names);
}
