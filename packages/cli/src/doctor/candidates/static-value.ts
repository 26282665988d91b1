import { type CelText, member, textLiteral } from './cel-text.js';
import { NotTranslatable } from './not-translatable.js';
import type { Shape } from './shape.js';

/** A value that does not depend on the object. */
export type StaticValue =
  | Constant
  /** The elements of an array or a Set. */
  | { readonly kind: 'constants'; readonly values: readonly Primitive[]; readonly isSet: boolean }
  /** A regular expression, in the syntax of RE2. */
  | { readonly kind: 'pattern'; readonly pattern: string };

export interface Constant {
  readonly kind: 'constant';
  readonly value: Primitive | null | undefined;
}
export type Primitive = string | number | boolean;

/** Returns a constant. */
export function constant(value: Constant['value']): Constant {
  return { kind: 'constant', value };
}

/** Returns a constant as a CEL literal. `shape` is the type of the value to which the constant is compared. */
export function literal(of: Primitive, shape: Shape): CelText {
  switch (typeof of) {
    case 'string':
      if (shape.type === 'string') return member(textLiteral(wellFormed(of)));
      break;
    case 'boolean':
      if (shape.type === 'boolean') return member(String(of));
      break;
    default:
      if (shape.type === 'integer' && Number.isSafeInteger(of)) return numberText(String(of));
      if (shape.type === 'number' && Number.isFinite(of)) return numberText(doubleText(of));
  }
  throw new NotTranslatable(`${JSON.stringify(of)} as ${shape.type}`);
}

/** Returns the shape of a constant. */
export function shapeOfConstant(of: Primitive): Shape {
  switch (typeof of) {
    case 'string':
      return { type: 'string', isAscii: /^[\x20-\x7E]*$/.test(of) };
    case 'boolean':
      return { type: 'boolean' };
    default:
      return Number.isSafeInteger(of) ? { type: 'integer', minimum: of, maximum: of } : { type: 'number' };
  }
}

function wellFormed(text: string): string {
  if (/\p{Cs}/u.test(text)) throw new NotTranslatable('an unpaired surrogate');
  return text;
}
function numberText(text: string): CelText {
  return { text, binding: text.startsWith('-') ? 'unary' : 'member' };
}
function doubleText(of: number): string {
  const text = String(of);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
