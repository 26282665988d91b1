import type { BindingPattern } from 'oxc-parser';
import { escapeName } from '@kubewright/api/cel';
import { member, negation, operand } from './cel-text.js';
import { conditionText } from './condition-text.js';
import { atom, type Condition } from './condition.js';
import { NotTranslatable } from './not-translatable.js';
import { bind, type Binder, type Place } from './scope.js';
import { type Shape, STRING } from './shape.js';
import { value, type Value } from './translated.js';

/** Names that variables of macros must not hide. */
const RESERVED = [
  'self',
  'oldSelf',
  'object',
  'oldObject',
  'request',
  'params',
  'variables',
  'authorizer',
  'namespaceObject',
];

/** The variable of a macro such as `exists`, which represents each item of a list. */
export interface Items {
  readonly variable: string;
  /** The place in which JavaScript evaluates the expressions for one item. */
  readonly inner: Place;
  /** Returns the condition that is true if the given condition is true for at least one item. */
  readonly wrap: (condition: Condition) => Condition;
}

/** The pattern that declares the names for an item, and the place in which JavaScript evaluates the list. */
export interface ItemPattern {
  readonly pattern: BindingPattern;
  readonly place: Place;
  readonly binder: Binder;
}

/** Declares a variable for the items of a list, or for the keys of a map. Throws `NotTranslatable` for other values. */
export function itemsOf(list: Value, { pattern, place, binder }: ItemPattern): Items {
  const name = variableName(pattern.type === 'Identifier' ? pattern.name : 'item', place);
  const inner: Place = { scope: new Map(place.scope), path: place.path };
  const item = value(member(name), itemOf(list.shape));
  bind(pattern, item, { binder, place: inner });
  inner.scope.set(variableKey(name), item);
  const wrap = (condition: Condition): Condition => {
    const call = member(`${operand(list.text, 'member')}.exists(${name}, ${conditionText(condition).text})`);
    return atom(call, negation(call));
  };
  return { variable: name, inner, wrap };
}

function itemOf(shape: Shape): Shape {
  if (shape.type === 'list') return shape.item;
  if (shape.type === 'keys') return STRING;
  throw new NotTranslatable('a loop over this value');
}

/** Returns the key of a macro variable in a scope. The key contains a space, so it differs from every name in TypeScript. */
function variableKey(variable: string): string {
  return `macro ${variable}`;
}

function variableName(name: string, { scope }: Place): string {
  const isFree = (each: string): boolean =>
    escapeName(each) === each && /^\w+$/.test(each) && !RESERVED.includes(each) && !scope.has(variableKey(each));
  const candidates = [name, 'item', ...Array.from({ length: 9 }, (_, index) => `item${index + 2}`)];
  const found = candidates.find(isFree);
  if (found === undefined) throw new NotTranslatable('this nesting');
  return found;
}
