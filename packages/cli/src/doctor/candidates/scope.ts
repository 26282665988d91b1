import type { BindingPattern, Expression, ParamPattern } from 'oxc-parser';
import type { Condition } from './condition.js';
import { NotTranslatable } from './not-translatable.js';
import type { Translated } from './translated.js';

/** The translated values of the names in a block. An inner block has a copy of the scope. */
export type Scope = Map<string, Translated | 'violations'>;

/**
 * The place in which JavaScript evaluates an expression: the names in scope, and the condition under which JavaScript evaluates the
 * expression.
 */
export interface Place {
  readonly scope: Scope;
  readonly path: Condition;
}

/** Translates the expressions in patterns, which assign values to names. */
export interface Binder {
  /** Returns the property of a value. Throws `NotTranslatable` if the value can be undefined. */
  property(of: Translated, name: string, path: Condition): Translated;
  /** Returns the value, or the fallback if the value is undefined. */
  orDefault(of: Translated, fallback: Expression, place: Place): Translated;
}

/** Translates the arguments and callbacks of methods. */
export interface Translator extends Binder {
  /** Translates an expression. */
  translate(node: Expression, place: Place): Translated;
  /** Returns the condition under which JavaScript treats the value of an expression as true, for example in an `if` statement. */
  truth(node: Expression, place: Place): Condition;
}

/** Declares the names of a pattern such as `object`, `{ spec }` or `{ spec: { size = 1 } }`. */
export function bind(
  pattern: BindingPattern,
  to: Translated,
  { binder, place }: { readonly binder: Binder; readonly place: Place },
): void {
  switch (pattern.type) {
    case 'Identifier':
      place.scope.set(pattern.name, to);
      return;
    case 'AssignmentPattern':
      bind(pattern.left, binder.orDefault(to, pattern.right, place), { binder, place });
      return;
    case 'ObjectPattern':
      for (const member of pattern.properties) {
        if (member.type !== 'Property' || member.computed) throw new NotTranslatable('this pattern');
        const name = propertyName(member.key);
        bind(member.value, binder.property(to, name, place.path), { binder, place });
      }
      return;
    default:
      throw new NotTranslatable('this pattern');
  }
}

/** Returns the pattern of a parameter. */
export function patternOf(parameter: ParamPattern): BindingPattern {
  if (parameter.type === 'RestElement' || parameter.type === 'TSParameterProperty') {
    throw new NotTranslatable('this parameter');
  }
  return parameter;
}

/** Returns the name of a property in a pattern or an object literal. */
export function propertyName(key: { readonly type: string }): string {
  const { type, name, value } = key as { type: string; name?: unknown; value?: unknown };
  if (type === 'Identifier' && typeof name === 'string') return name;
  if (type === 'Literal' && typeof value === 'string') return value;
  throw new NotTranslatable('a computed name');
}
