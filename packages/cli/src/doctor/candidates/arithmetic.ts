import { binary } from './cel-text.js';
import { type Condition, isTrue, remaining } from './condition.js';
import type { Operands } from './comparison.js';
import { NotTranslatable } from './not-translatable.js';
import { constant, literal, shapeOfConstant } from './static-value.js';
import { type Translated, value, type Value } from './translated.js';

/**
 * Returns the sum, difference, product or remainder of two integers, or the concatenation of two texts. For two constants, supports `/` and
 * `**` instead of the remainder. Throws `NotTranslatable` for other operators and operands, and if the result of an operation on integers
 * in JavaScript could be inexact.
 */
export function arithmetic(operator: string, { left, right, path }: Operands): Translated {
  if (operator === '+') return addition(left, right, path);
  if (left.kind === 'constant' && right.kind === 'constant') return constants(operator, left.value, right.value);
  const [a, b] = [numberOf(left, path), numberOf(right, path)];
  const isProduct = operator === '*' || operator === '%';
  if (!isProduct && operator !== '-') throw new NotTranslatable(`the operator ${operator}`);
  // The remainder of a division by 0 is an error in CEL.
  if (operator === '%' && (right.kind !== 'constant' || right.value === 0)) throw new NotTranslatable('this remainder');
  const text = binary(a.text, operator, b.text, isProduct ? 'product' : 'sum');
  return value(text, exact(operator === '%' ? [boundsOf(a)] : combined(a, b, operator)));
}

/** Returns the sum of two integers, or the concatenation of two texts. */
export function addition(left: Translated, right: Translated, path: Condition): Translated {
  if (left.kind === 'constant' && right.kind === 'constant') return constants('+', left.value, right.value);
  if (left.kind === 'constant' && left.value === '') return textOf(right, path);
  if (right.kind === 'constant' && right.value === '') return textOf(left, path);
  if (isText(left) || isText(right)) {
    const [a, b] = [textOf(left, path), textOf(right, path)];
    return value(binary(a.text, '+', b.text, 'sum'), { type: 'string' });
  }
  const [a, b] = [numberOf(left, path), numberOf(right, path)];
  return value(binary(a.text, '+', b.text, 'sum'), exact(combined(a, b, '+')));
}

function constants(operator: string, a: unknown, b: unknown): Translated {
  if (operator === '+' && (typeof a === 'string' || typeof b === 'string')) return constant(`${String(a)}${String(b)}`);
  if (typeof a !== 'number' || typeof b !== 'number') throw new NotTranslatable('this operation');
  switch (operator) {
    case '+':
      return constant(a + b);
    case '-':
      return constant(a - b);
    case '*':
      return constant(a * b);
    case '/':
      return constant(a / b);
    case '**':
      return constant(a ** b);
    default:
      throw new NotTranslatable(`the operator ${operator}`);
  }
}

type Bounds = readonly [least: number, most: number];

function isText(of: Translated): boolean {
  return of.kind === 'value' ? of.shape.type === 'string' : of.kind === 'constant' && typeof of.value === 'string';
}
function textOf(of: Translated, path: Condition): Value {
  const found = operandOf(of, path);
  if (found.shape.type !== 'string') throw new NotTranslatable('this text');
  return found;
}
function numberOf(of: Translated, path: Condition): Value {
  const found = operandOf(of, path);
  if (found.shape.type !== 'integer') throw new NotTranslatable('this number');
  return found;
}
function operandOf(of: Translated, path: Condition): Value {
  if (of.kind === 'constant' && of.value !== undefined && of.value !== null) {
    const shape = shapeOfConstant(of.value);
    return value(literal(of.value, shape), shape);
  }
  if (of.kind !== 'value' || !isTrue(remaining(of.defined, path))) throw new NotTranslatable('this operand');
  return of;
}
function boundsOf({ shape }: Value): Bounds {
  return shape.type === 'integer'
    ? [shape.minimum, shape.maximum]
    : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
}
function combined(a: Value, b: Value, operator: string): readonly Bounds[] {
  const [left, right] = [boundsOf(a), boundsOf(b)];
  const results = left.flatMap((x) => right.map((y) => (operator === '+' ? x + y : operator === '-' ? x - y : x * y)));
  const least = results.reduce((a, b) => Math.min(a, b));
  const most = results.reduce((a, b) => Math.max(a, b));
  return [left, right, [least, most]];
}
/**
 * Returns the shape of the result, whose bounds are the last item of `all`. Throws `NotTranslatable` if JavaScript cannot represent one of
 * the bounds exactly.
 */
function exact(all: readonly Bounds[]): Value['shape'] {
  if (!all.flat().every(Number.isSafeInteger)) throw new NotTranslatable('a number without bounds');
  const [minimum = 0, maximum = 0] = all.at(-1) ?? [];
  return { type: 'integer', minimum, maximum };
}
