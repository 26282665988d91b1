import type { RuleOptions, SchemaKeywords } from '@kubewright/api';
import type { StructuralSchema, ValidationRule } from '@kubewright/api/schema';
import { escapeName } from '@kubewright/api/cel';
import { canonical } from './canonical.js';
import { wordOf } from './class-words.js';
import { planField } from './plan-field.js';
import type { Place, Planning } from './planning.js';
import type { ClassPlan, FieldPlan } from './value-plan.js';

const KEYWORDS: readonly (keyof SchemaKeywords)[] = [
  'minProperties',
  'maxProperties',
  'x-kubernetes-map-type',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
];
/** The keywords that a class expresses without `@Schema`: with fields, `@Rule`, and a doc comment. */
export const OWN: readonly string[] = ['type', 'properties', 'required', 'description', 'x-kubernetes-validations'];
/** Property names that a field of a JavaScript class cannot have. */
const UNFIT = ['__proto__', 'constructor', 'prototype'];

/**
 * Plans the class for objects with a schema. Returns undefined if no class can express the schema. Fields with the same name and schema
 * share a class. Fields with different names have different classes even if their schemas are equal, such as `podAffinity` and
 * `podAntiAffinity`, because a class is named after its field. If `isItem` is true, the class has the description of the schema. Otherwise,
 * the field has the description.
 */
export function planClass(schema: StructuralSchema, place: Place, planning: Planning): ClassPlan | undefined {
  if (unfitParts(schema).length > 0) return undefined;
  const { description, ...rest } = schema;
  const key = canonical([planning.keys.keyOf(rest), place.words.at(-1), place.isItem ? description : undefined]);
  const known = planning.shapes.get(key);
  if (known !== undefined) return known;
  const shape = newClass(schema, place, planning);
  planning.shapes.set(key, shape);
  return shape;
}

/** Returns the reasons why no class can express a schema. */
export function unfitParts({ properties = {}, required = [], ...rest }: StructuralSchema): readonly string[] {
  const known: readonly string[] = [...OWN, ...KEYWORDS];
  const keywords = Object.keys(rest).filter((key) => !known.includes(key));
  const names = Object.keys(properties).filter((name) => UNFIT.includes(name));
  const missing = required.filter((name) => !Object.hasOwn(properties, name));
  return [
    ...(rest.type === 'object' ? [] : [`its type is ${rest.type ?? 'missing'}`]),
    ...keywords.map((key) => `it uses '${key}'`),
    ...names.map((name) => `it has a property '${name}'`),
    ...missing.map((name) => `it requires '${name}', which is not one of its properties`),
  ];
}

function newClass(schema: StructuralSchema, { words, isItem }: Place, planning: Planning): ClassPlan {
  const { properties = {}, required = [], description } = schema;
  const rules = schema['x-kubernetes-validations'] ?? [];
  const fields = Object.entries(properties).map(([name, each]) => {
    const place = { words: [...words, wordOf(name)], isRequired: required.includes(name) };
    return planField(name, each, { ...place, planning });
  });
  return {
    words,
    description: isItem ? description : undefined,
    keywords: keywordsOf(schema),
    ...declaredBy(rules, fields),
  };
}

/** Returns the keywords of a schema that the generated class passes to `@Schema`. */
export function keywordsOf(schema: StructuralSchema): Partial<StructuralSchema> {
  return Object.fromEntries(
    KEYWORDS.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]] as const])),
  );
}

/** Divides rules into `oneOf` (decorators such as `@ExactlyOneOf`), the field option `immutable`, and other rules (`@Rule`). */
function declaredBy(
  rules: readonly ValidationRule[],
  fields: readonly FieldPlan[],
): Pick<ClassPlan, 'fields' | 'oneOf' | 'rules'> {
  const kept: RuleOptions[] = [];
  const oneOf: ClassPlan['oneOf'][number][] = [];
  const fixed = new Set<string>();
  for (const rule of rules) {
    const set = oneOfRule(rule, fields);
    const name = set === undefined ? fixedField(rule, fields) : undefined;
    if (set !== undefined) oneOf.push(set);
    else if (name !== undefined) fixed.add(name);
    else kept.push(rule as RuleOptions);
  }
  return { rules: kept, oneOf, fields: fields.map((field) => withImmutable(field, fixed)) };
}

/**
 * For each decorator such as `@ExactlyOneOf`: the verb in the message, and the two possible ends of the rule. Kubewright generates the
 * first end, and controller-gen generates the second end.
 */
const SETS = [
  { count: 'exactly one', verb: 'must', ends: [' == 1', '.filter(x,x==true).size() == 1'] },
  { count: 'at most one', verb: 'may', ends: [' <= 1', '.filter(x,x==true).size() <= 1'] },
  { count: 'at least one', verb: 'must', ends: ['', '.exists(x,x==true)'] },
] as const;

/** Returns the fields of a rule that `@ExactlyOneOf`, `@AtMostOneOf`, or `@AtLeastOneOf` can generate; undefined for other rules. */
function oneOfRule(
  { rule, message, ...more }: ValidationRule,
  fields: readonly FieldPlan[],
): ClassPlan['oneOf'][number] | undefined {
  const [, count, list] =
    /^(exactly one|at most one|at least one) of the fields in \[([^\]]+)\] m/.exec(message ?? '') ?? [];
  const set = SETS.find((each) => each.count === count);
  const keys = list?.split(' ') ?? [];
  if (set === undefined || keys.length < 2 || Object.keys(more).length > 0) return undefined;
  if (message !== `${count} of the fields in [${list}] ${set.verb} be set`) return undefined;
  const tests = keys.map((key) => `has(self.${escapeName(key) ?? key})`);
  const sum = set.count === 'at least one' ? tests.join('||') : tests.map((each) => `(${each}?1:0)`).join('+');
  const [usual, goes] = set.ends;
  if (rule !== `${sum}${usual}` && rule !== `[${tests.join(',')}]${goes}`) return undefined;
  const areFit = keys.every((key) => fields.some(({ name, options }) => name === key && options['optional'] === true));
  return areFit ? { keys, count: set.count } : undefined;
}

const isFixed = ({ rule, message, ...more }: ValidationRule): boolean =>
  rule === 'self == oldSelf' && message === 'field is immutable' && Object.keys(more).length === 0;

/**
 * Returns the name of the optional field whose option `immutable: true` generates this rule of the class. The option generates two rules:
 * one in the schema of the class, and one in the schema of the field. Returns undefined if no field has both rules.
 */
function fixedField({ rule, message, ...more }: ValidationRule, fields: readonly FieldPlan[]): string | undefined {
  const field = fields.find(({ name }) => message === `field ${name} is immutable once set`);
  if (field === undefined || Object.keys(more).length > 0) return undefined;
  const name = escapeName(field.name) ?? field.name;
  if (rule !== `!has(oldSelf.${name}) || has(self.${name})`) return undefined;
  return field.options['optional'] === true && field.rules.some(isFixed) ? field.name : undefined;
}

function withImmutable(field: FieldPlan, fixed: ReadonlySet<string>): FieldPlan {
  const isImmutable = field.options['optional'] === true ? fixed.has(field.name) : field.rules.some(isFixed);
  if (!isImmutable) return field;
  return {
    ...field,
    options: { ...field.options, immutable: true },
    rules: field.rules.filter((rule) => !isFixed(rule)),
  };
}
