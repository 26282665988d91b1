import { type CelText, member, negation } from './cel-text.js';
import { and, atom, type Condition, FALSE, not, or, remaining, TRUE } from './condition.js';
import { NotTranslatable } from './not-translatable.js';
import type { Shape } from './shape.js';
import { type Constant, literal, type Primitive } from './static-value.js';
import { booleanValue, isTrueValue, relation, type Translated, type Value } from './translated.js';

/** The ordering operators, each with the operator that gives the same result for exchanged operands. */
const ORDER: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** Two operands of a comparison, and the condition under which JavaScript evaluates the comparison. */
export interface Operands {
  readonly left: Translated;
  readonly right: Translated;
  readonly path: Condition;
}

/** Reports whether an operator compares two values. */
export function isComparison(operator: string): boolean {
  return operator in ORDER || /^[!=]==?$/.test(operator);
}

/**
 * Returns the condition under which a comparison is true.
 * @throws NotTranslatable if JavaScript and CEL compare the values in different ways
 */
export function comparison(operator: string, { left, right, path }: Operands): Condition {
  if (operator.startsWith('!')) return not(comparison(`=${operator.slice(1)}`, { left, right, path }));
  const [a, b] = [asValue(left), asValue(right)];
  if (a.kind === 'constant' && b.kind === 'constant') return compareConstants(operator, a, b);
  if (b.kind === 'constant') return compareToConstant(operator, { of: a, to: b, path });
  if (a.kind === 'constant') return compareToConstant(ORDER[operator] ?? operator, { of: b, to: a, path });
  if (a.kind !== 'value' || b.kind !== 'value') throw new NotTranslatable('a comparison of objects');
  return compareValues(operator, { a, b, path });
}

function asValue(operand: Translated): Translated {
  return operand.kind === 'condition' && operand.isBoolean ? booleanValue(operand.condition) : operand;
}

function compareConstants(operator: string, a: Constant, b: Constant): Condition {
  const isEqual = operator === '==' ? (a.value ?? null) === (b.value ?? null) : a.value === b.value;
  if (operator.startsWith('=')) return isEqual ? TRUE : FALSE;
  throw new NotTranslatable('a comparison of constants');
}

interface ToConstant {
  readonly of: Translated;
  readonly to: Constant;
  readonly path: Condition;
}

function compareToConstant(operator: string, { of, to, path }: ToConstant): Condition {
  if (to.value === undefined || to.value === null) return compareToNothing(operator, { of, to, path });
  if (of.kind !== 'value') throw new NotTranslatable('a comparison with an object');
  const { text, shape, defined, lengthOf } = of;
  const isEquality = operator.startsWith('=');
  if (isEquality && typeof to.value === 'boolean' && shape.type === 'boolean') {
    return to.value ? isTrueValue(of, path) : and(remaining(defined, path), atom(negation(text), text));
  }
  if (lengthOf !== undefined && isAboutEmptiness(operator, to.value)) {
    return and(remaining(defined, path), relation(lengthOf, celOperator(operator), member(String(to.value))));
  }
  const compared = shape.type === 'operation' ? operationLiteral(to.value) : literal(to.value, shape);
  if (!isEquality && !isNumeric(shape)) throw new NotTranslatable('an ordering of strings');
  return and(remaining(defined, path), relation(text, celOperator(operator), compared));
}

/**
 * Returns the condition under which a value is equal to undefined or null. A value of a field is never null, because the translation does
 * not read nullable fields.
 */
function compareToNothing(operator: string, { of, to, path }: ToConstant): Condition {
  if (!operator.startsWith('=')) throw new NotTranslatable('an ordering of undefined');
  const isLoose = operator === '==';
  switch (of.kind) {
    case 'value':
    case 'members':
      return isLoose || to.value === undefined ? not(remaining(of.defined, path)) : FALSE;
    case 'presence':
      return isLoose || to.value === of.absent ? not(of.condition) : FALSE;
    default:
      throw new NotTranslatable('a comparison with undefined');
  }
}

/** Reports whether the result of comparing a length depends only on whether the text is empty. */
function isAboutEmptiness(operator: string, to: Primitive): boolean {
  if (to === 0) return operator.startsWith('=') || operator === '>' || operator === '<=';
  return to === 1 && (operator === '<' || operator === '>=');
}

function compareValues(
  operator: string,
  { a, b, path }: { readonly a: Value; readonly b: Value; readonly path: Condition },
): Condition {
  const isEquality = operator.startsWith('=');
  if (a.shape.type !== b.shape.type || !isScalar(a.shape)) throw new NotTranslatable('a comparison of these types');
  if (!isEquality && !isNumeric(a.shape)) throw new NotTranslatable('an ordering of strings');
  const [ofA, ofB] = [remaining(a.defined, path), remaining(b.defined, path)];
  const both = and(ofA, ofB, relation(a.text, celOperator(operator), b.text));
  return isEquality ? or(both, and(not(ofA), not(ofB))) : both;
}

function isScalar({ type }: Shape): boolean {
  return type === 'string' || type === 'boolean' || type === 'integer' || type === 'number';
}
function isNumeric({ type }: Shape): boolean {
  return type === 'integer' || type === 'number';
}
function celOperator(operator: string): string {
  return operator.startsWith('=') ? '==' : operator;
}
function operationLiteral(of: Primitive): CelText {
  if (of === 'create' || of === 'update') return literal(of.toUpperCase(), { type: 'string' });
  throw new NotTranslatable(`the operation ${of}`);
}
