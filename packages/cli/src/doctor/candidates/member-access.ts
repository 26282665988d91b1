import { escapeName } from '@kubewright/api/cel';
import { type CelText, member, negation, operand, textLiteral } from './cel-text.js';
import { and, atom, type Condition } from './condition.js';
import { NotTranslatable } from './not-translatable.js';
import { constant } from './static-value.js';
import { relation, type Translated, value, type Value } from './translated.js';

/** A CEL string literal with a regular expression that matches the characters that JavaScript counts twice. */
const PAIRS = "'[\\\\x{10000}-\\\\x{10FFFF}]'";
const MOST_ITEMS = 2 ** 31;

/**
 * Returns a property of an object. The object must be defined.
 * @throws NotTranslatable if CEL cannot read the property, or if the schema does not contain it
 */
export function property(of: Translated, name: string): Translated {
  if (of.kind === 'members') {
    const found = of.members.get(name);
    if (found === undefined) throw new NotTranslatable(`the property ${name}`);
    return found;
  }
  if (of.kind === 'constants' && name === 'length' && !of.isSet) return constant(of.values.length);
  if (of.kind !== 'value') throw new NotTranslatable(`the property ${name}`);
  switch (of.shape.type) {
    case 'string':
      if (name === 'length') return textLength(of, of.shape.isAscii === true);
      break;
    case 'list':
    case 'keys':
      if (name === 'length')
        return value(sizeOf(of.text), { type: 'integer', minimum: 0, maximum: MOST_ITEMS }, of.defined);
      break;
    case 'map':
      return entry(of, name);
    case 'object':
      return field(of, name);
  }
  throw new NotTranslatable(`the property ${name}`);
}

/** Returns an element of a list. */
export function element(of: Translated, index: number): Translated {
  if (of.kind !== 'value' || of.shape.type !== 'list' || !Number.isSafeInteger(index) || index < 0) {
    throw new NotTranslatable('this index');
  }
  const exists = relation(sizeOf(of.text), '>', member(String(index)));
  return value(member(`${operand(of.text, 'member')}[${index}]`), of.shape.item, and(of.defined, exists));
}

/** Returns the CEL expression for the number of elements of a list, or of characters of a text. */
export function sizeOf({ text }: CelText): CelText {
  return member(`size(${text})`);
}

function textLength({ text, defined }: Value, isAscii: boolean): Value {
  const size = sizeOf(text);
  const pairs = `size(${operand(text, 'member')}.findAll(${PAIRS}))`;
  const length: CelText = isAscii ? size : { text: `${size.text} + ${pairs}`, binding: 'sum' };
  return { ...value(length, { type: 'integer', minimum: 0, maximum: MOST_ITEMS }, defined), lengthOf: size };
}

function field({ text, shape, defined }: Value, name: string): Value {
  const found = shape.type === 'object' ? shape.fields.get(name) : undefined;
  if (found === undefined || !isReadable(name)) throw new NotTranslatable(`the field ${name}`);
  const read = member(`${operand(text, 'member')}.${name}`);
  if (found.isRequired) return value(read, found.shape, defined);
  return value(read, found.shape, and(defined, present(read)));
}

/**
 * Reports whether CEL can read the field by its name without an escape. Reserved words count as readable, because policies do not escape
 * them. Rules escape reserved words, so the later type check of a rule reports such a field as missing.
 */
function isReadable(name: string): boolean {
  const escaped = escapeName(name);
  const isReserved = escaped === `__${name}__` && !['true', 'false', 'null', 'in'].includes(name);
  return /^\w+$/.test(name) && (escaped === name || isReserved);
}

function entry({ text, shape, defined }: Value, key: string): Value {
  // Every JavaScript object inherits the properties of Object.prototype.
  if (shape.type !== 'map' || key in Object.prototype) throw new NotTranslatable(`the key ${key}`);
  const quoted = textLiteral(key);
  const contains: CelText = { text: `${quoted} in ${operand(text, 'sum')}`, binding: 'relation' };
  const read = member(`${operand(text, 'member')}[${quoted}]`);
  return value(read, shape.item, and(defined, atom(contains, negation(contains))));
}

function present({ text }: CelText): Condition {
  const has = member(`has(${text})`);
  return atom(has, negation(has));
}
