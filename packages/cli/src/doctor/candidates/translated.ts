import type { StaticValue } from './static-value.js';
import { binary, type CelText, member, negation, operand } from './cel-text.js';
import { conditionText } from './condition-text.js';
import { and, atom, type Condition, isTrue, not, or, remaining, TRUE } from './condition.js';
import { NotTranslatable } from './not-translatable.js';
import { BOOLEAN, type Shape } from './shape.js';

/** A value that CEL reads from the object or the request. */
export interface Value {
  readonly kind: 'value';
  readonly text: CelText;
  readonly shape: Shape;
  /** The condition under which the value is not undefined in JavaScript. CEL evaluates `text` without an error under this condition. */
  readonly defined: Condition;
  /**
   * For the `length` of a text: the `size` of the same text. The value counts UTF-16 units, and `size` counts characters; both are 0 for
   * the empty text.
   */
  readonly lengthOf?: CelText;
}

/** The translation of an expression. */
export type Translated =
  | Value
  | StaticValue
  /** A logical expression. `isBoolean` is false if the result in JavaScript can be a value other than true and false. */
  | { readonly kind: 'condition'; readonly condition: Condition; readonly isBoolean: boolean }
  /**
   * The result of a call such as `find` or `match`. If `condition` is true, the result is a value that the translation cannot represent.
   * Otherwise, the result is `absent`.
   */
  | { readonly kind: 'presence'; readonly condition: Condition; readonly absent: null | undefined }
  /** An object that has only the given members in CEL. */
  | { readonly kind: 'members'; readonly members: ReadonlyMap<string, Translated>; readonly defined: Condition };

/** Returns a value. */
export function value(text: CelText, shape: Shape, defined: Condition = TRUE): Value {
  return { kind: 'value', text, shape, defined };
}

/** Returns the condition under which a boolean value is true. */
export function isTrueValue({ text, defined }: Value, path: Condition): Condition {
  return and(remaining(defined, path), atom(text, negation(text)));
}

/** Returns a condition as a boolean value. */
export function booleanValue(condition: Condition): Value {
  return value(conditionText(condition), BOOLEAN);
}

/** Returns the condition under which JavaScript treats the value of the expression as true, for example in an `if` statement. */
export function truthOf(translated: Translated, path: Condition): Condition {
  switch (translated.kind) {
    case 'condition':
    case 'presence':
      return translated.condition;
    case 'members':
      return remaining(translated.defined, path);
    case 'constant':
      return { kind: 'constant', value: Boolean(translated.value) };
    case 'value':
      return truthOfValue(translated, path);
    default:
      return TRUE;
  }
}

function truthOfValue(translated: Value, path: Condition): Condition {
  const { text, shape, defined, lengthOf } = translated;
  switch (shape.type) {
    case 'boolean':
      return isTrueValue(translated, path);
    case 'string':
      return and(remaining(defined, path), relation(text, '!=', member("''")));
    case 'integer':
      return and(remaining(defined, path), relation(lengthOf ?? text, '!=', member('0')));
    case 'number':
      return and(remaining(defined, path), relation(text, '!=', member('0.0')));
    case 'list':
    case 'map':
    case 'object':
      return remaining(defined, path);
    default:
      throw new NotTranslatable('the truthiness of this value');
  }
}

const OPPOSITES: Readonly<Record<string, string>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};

/** Returns a comparison of two expressions as a condition. */
export function relation(left: CelText, operator: string, right: CelText): Condition {
  const opposite = OPPOSITES[operator] ?? operator;
  return atom(binary(left, operator, right, 'relation'), binary(left, opposite, right, 'relation'));
}

/** Returns `condition ? yes : no` as a value. Throws `NotTranslatable` if the branches have different types. */
export function choice(condition: Condition, yes: Value, no: Value): Value {
  if (condition.kind === 'constant') return condition.value ? yes : no;
  if (yes.shape.type !== no.shape.type || yes.shape.type === 'opaque') throw new NotTranslatable('a choice of types');
  const defined = or(and(condition, yes.defined), and(not(condition), no.defined));
  const shape = widest(yes.shape, no.shape);
  return value(ternary(condition, yes.text, no.text), shape, isAlways(yes, no) ? TRUE : defined);
}

/** Returns the expression `condition ? yes : no`. */
export function ternary(condition: Condition, yes: CelText, no: CelText): CelText {
  const [test, first, second] = [conditionText(condition), yes, no].map((each) => operand(each, 'or'));
  return { text: `${test} ? ${first} : ${second}`, binding: 'ternary' };
}

function isAlways(...values: readonly Value[]): boolean {
  return values.every(({ defined }) => isTrue(defined));
}
function widest(a: Shape, b: Shape): Shape {
  if (a.type === 'integer' && b.type === 'integer') {
    return { type: 'integer', minimum: Math.min(a.minimum, b.minimum), maximum: Math.max(a.maximum, b.maximum) };
  }
  if (a.type === 'string' && b.type === 'string') {
    return { type: 'string', isAscii: a.isAscii === true && b.isAscii === true };
  }
  if (a.type === 'boolean' || a.type === 'number') return a;
  throw new NotTranslatable('a choice of lists or objects');
}
