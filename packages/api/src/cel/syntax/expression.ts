import type { CelValue } from '../values/cel-value.js';

/** The position of an expression: the offset of its token in the source, in code points. */
interface Positioned {
  readonly at: number;
}

/** A constant. */
export interface Literal extends Positioned {
  readonly kind: 'literal';
  readonly value: CelValue;
}

/** The name of a variable or of a type. */
export interface Ident extends Positioned {
  readonly kind: 'ident';
  readonly name: string;
}

/** `operand.field`, or `has(operand.field)` if `test` is true. */
export interface Select extends Positioned {
  readonly kind: 'select';
  readonly operand: Expression;
  readonly field: string;
  readonly test: boolean;
}

/** A call of a function, an operator (`_+_`) or, with a target, a method. */
export interface Call extends Positioned {
  readonly kind: 'call';
  readonly name: string;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
}

/** A list: `[a, ?b]`. */
export interface ListLiteral extends Positioned {
  readonly kind: 'list';
  readonly elements: readonly Expression[];
  /** For each element, whether the element is an optional that is omitted if it has no value. */
  readonly optional: readonly boolean[];
}

/** One `key: value` of a map, or `field: value` of an object. */
export interface Entry<Key> extends Positioned {
  readonly key: Key;
  readonly value: Expression;
  readonly optional: boolean;
}

/** A map: `{key: value}`. */
export interface MapLiteral extends Positioned {
  readonly kind: 'map';
  readonly entries: readonly Entry<Expression>[];
}

/** An object: `Type{field: value}`. */
export interface StructLiteral extends Positioned {
  readonly kind: 'struct';
  readonly typeName: string;
  readonly entries: readonly Entry<string>[];
}

/** The expansion of a macro such as `all` or `map`: a loop over a range that computes the value of an accumulator. */
export interface Comprehension extends Positioned {
  readonly kind: 'comprehension';
  readonly range: Expression;
  readonly variable: string;
  readonly second: string | undefined;
  readonly accumulator: string;
  readonly init: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/**
 * A parsed expression with expanded macros. Immutable. The type checker and the cost estimation store their results in maps whose keys are
 * expression objects.
 */
export type Expression = Literal | Ident | Select | Call | ListLiteral | MapLiteral | StructLiteral | Comprehension;

/** The name of the accumulator in comprehensions of the standard macros. */
export const ACCUMULATOR = '__result__';

/** Returns an identifier or a chain of selects as a qualified name, such as `a.b.c`. Returns undefined for other expressions. */
export function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === 'ident') return expression.name;
  if (expression.kind !== 'select' || expression.test) return undefined;
  const prefix = qualifiedName(expression.operand);
  return prefix === undefined ? undefined : `${prefix}.${expression.field}`;
}

/** Returns the direct subexpressions of an expression, in the order of evaluation. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'select':
      return [expression.operand];
    case 'call':
      return expression.target === undefined ? expression.args : [expression.target, ...expression.args];
    case 'list':
      return expression.elements;
    case 'map':
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expression.entries.map(({ value }) => value);
    case 'comprehension': {
      const { range, init, condition, step, result } = expression;
      return [range, init, condition, step, result];
    }
    default:
      return [];
  }
}
