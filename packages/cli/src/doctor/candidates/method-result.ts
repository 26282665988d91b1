import type { ArrowFunctionExpression, Expression } from 'oxc-parser';
import { type CelText, member, negation, operand, textLiteral } from './cel-text.js';
import { conditionText } from './condition-text.js';
import { and, atom, type Condition, isTrue, remaining } from './condition.js';
import { itemsOf } from './items.js';
import { NotTranslatable } from './not-translatable.js';
import { patternOf, type Place, type Translator } from './scope.js';
import { BOOLEAN, type Shape, STRING } from './shape.js';
import { literal, type Primitive } from './static-value.js';
import { booleanValue, type Translated, value, type Value } from './translated.js';

/** The arguments of a call, and the place in which JavaScript evaluates the arguments. */
export interface Call {
  readonly nodes: readonly Expression[];
  readonly place: Place;
  readonly translation: Translator;
}

const TEXT_METHODS: Readonly<Record<string, string>> = {
  startsWith: 'startsWith',
  endsWith: 'endsWith',
  includes: 'contains',
};
/**
 * Returns the result of a method call on a text, a list, the keys of a map, a constant list or a pattern.
 * @throws NotTranslatable for other methods, and for arguments that JavaScript and CEL handle in different ways
 */
export function methodResult(of: Translated, name: string, call: Call): Translated {
  if (of.kind === 'pattern' && name === 'test') return matches(argument(call), of.pattern, call.place.path);
  if (of.kind === 'constants' && name === (of.isSet ? 'has' : 'includes')) return contained(of.values, call);
  if (of.kind !== 'value') throw new NotTranslatable(`the method ${name}`);
  switch (of.shape.type) {
    case 'string':
      return textMethod(of, name, call);
    case 'list':
      return listMethod(of, of.shape.item, { name, call });
    case 'keys':
      return listMethod(of, STRING, { name, call });
    default:
      throw new NotTranslatable(`the method ${name}`);
  }
}

/** Returns the only argument of a call. */
function argument({ nodes: [first, second], place, translation }: Call): Translated {
  if (first === undefined || second !== undefined) throw new NotTranslatable('this number of arguments');
  return translation.translate(first, place);
}

function textMethod(of: Value, name: string, call: Call): Translated {
  const celName = TEXT_METHODS[name];
  const given = argument(call);
  if (celName !== undefined) {
    const text = member(`${operand(of.text, 'member')}.${celName}(${textOf(given, call.place.path).text})`);
    return value(text, BOOLEAN, of.defined);
  }
  if (name === 'match' && given.kind === 'pattern') {
    const { text, defined } = matches(of, given.pattern, of.defined);
    return {
      kind: 'presence',
      condition: and(remaining(of.defined, call.place.path), defined, truth(text)),
      absent: null,
    };
  }
  throw new NotTranslatable(`the method ${name}`);
}

function matches(of: Translated, pattern: string, path: Condition): Value {
  const { text } = valueOf(of, path);
  return value(member(`${operand(text, 'member')}.matches(${textLiteral(pattern)})`), BOOLEAN);
}

function textOf(of: Translated, path: Condition): CelText {
  if (of.kind === 'constant' && typeof of.value === 'string') return literal(of.value, STRING);
  const { text, shape } = valueOf(of, path);
  if (shape.type !== 'string') throw new NotTranslatable('an argument that is not a string');
  return text;
}

function valueOf(of: Translated, path: Condition): Value {
  if (of.kind !== 'value' || of.shape.type === 'operation') throw new NotTranslatable('this argument');
  if (!isTrue(remaining(of.defined, path))) throw new NotTranslatable('an argument that can be undefined');
  return of;
}

/** Translates `['a', 'b'].includes(x)`. A value that is undefined is not in the list. */
function contained(values: readonly Primitive[], call: Call): Translated {
  const of = argument(call);
  if (of.kind !== 'value' || !['string', 'integer', 'number'].includes(of.shape.type))
    throw new NotTranslatable('this member');
  const items = values.map((each) => literal(each, of.shape).text);
  if (items.length === 0) throw new NotTranslatable('an empty list');
  return booleanValue(and(remaining(of.defined, call.place.path), isIn(of.text, `[${items.join(', ')}]`)));
}

function listMethod(
  of: Value,
  item: Shape,
  { name, call }: { readonly name: string; readonly call: Call },
): Translated {
  const list = operand(of.text, 'member');
  switch (name) {
    case 'includes':
      return value(conditionText(isInList(of, item, call)), BOOLEAN, of.defined);
    case 'some':
      return macro('exists', of, call);
    case 'every':
      return macro('all', of, call);
    case 'filter': {
      const { text } = macro('filter', of, call);
      return value(text, { type: 'list', item }, of.defined);
    }
    case 'find': {
      const { variable, condition } = callback(of, call);
      const text = member(`${list}.exists(${variable}, ${conditionText(condition).text})`);
      return {
        kind: 'presence',
        condition: and(remaining(of.defined, call.place.path), truth(text)),
        absent: undefined,
      };
    }
    default:
      throw new NotTranslatable(`the method ${name}`);
  }
}

function macro(name: string, of: Value, call: Call): Value {
  const { variable, condition } = callback(of, call);
  const text = member(`${operand(of.text, 'member')}.${name}(${variable}, ${conditionText(condition).text})`);
  return value(text, BOOLEAN, of.defined);
}

function isInList({ text }: Value, item: Shape, call: Call): Condition {
  const { path } = call.place;
  const given = argument(call);
  if (!['string', 'integer', 'boolean'].includes(item.type)) throw new NotTranslatable('a list of these items');
  const list = operand(text, 'sum');
  if (given.kind === 'constant' && given.value !== undefined && given.value !== null) {
    return isIn(literal(given.value, item), list);
  }
  if (given.kind !== 'value' || given.shape.type !== item.type) throw new NotTranslatable('this item');
  return and(remaining(given.defined, path), isIn(given.text, list));
}

function isIn(of: CelText, list: string): Condition {
  return truth({ text: `${operand(of, 'sum')} in ${list}`, binding: 'relation' });
}
function truth(text: CelText): Condition {
  return atom(text, negation(text));
}

/** Translates a function that JavaScript calls with each item of a list. Returns the variable and the condition of a macro. */
function callback(
  of: Value,
  { nodes: [first, second], place, translation }: Call,
): {
  readonly variable: string;
  readonly condition: Condition;
} {
  if (first?.type !== 'ArrowFunctionExpression' || second !== undefined) throw new NotTranslatable('this callback');
  const { params, async } = first;
  const [parameter, index] = params;
  if (parameter === undefined || index !== undefined || async) throw new NotTranslatable('this callback');
  const { variable, inner } = itemsOf(of, { pattern: patternOf(parameter), place, binder: translation });
  return { variable, condition: translation.truth(bodyOf(first), inner) };
}

function bodyOf({ body }: ArrowFunctionExpression): Expression {
  if (body.type !== 'BlockStatement') return body;
  const [only, second] = body.body;
  if (only?.type !== 'ReturnStatement' || only.argument === null || second !== undefined) {
    throw new NotTranslatable('a callback with statements');
  }
  return only.argument;
}
