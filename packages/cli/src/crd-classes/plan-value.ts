import type { StructuralSchema } from '@kubewright/api/schema';
import { singular, wordOf } from './class-words.js';
import { leafPlan, rawPlan } from './leaf-plan.js';
import type { Parts } from './parts.js';
import { planClass } from './plan-class.js';
import { commentKeeps } from './comment-lines.js';
import { SchemaKeys } from './schema-keys.js';
import { fitting, given, rulesBeside, sharedOptions, withoutShared } from './shared-options.js';
import type { Place, Planning } from './planning.js';
import { without } from './without.js';
import type { ItemPlan, ValuePlan } from './value-plan.js';

/** Creates the state for planning the classes of a file. Initially, the state has no classes. */
export function newPlanning(parts: Parts): Planning {
  const planning: Planning = {
    shapes: new Map(),
    keys: new SchemaKeys(),
    parts,
    valueOf: (schema, place) => planValue(schema, place, planning),
  };
  return planning;
}

/**
 * Plans the value that a schema describes. Ignores the keywords that the options of every field support, such as `default` and `title`, and
 * the rules of values that are not objects.
 */
function planValue(schema: StructuralSchema, place: Place, planning: Planning): ValuePlan {
  const object = withoutShared(schema);
  const own: StructuralSchema = without(object, 'description', 'x-kubernetes-validations');
  if (own.type === 'object' && own.properties !== undefined) {
    const part = planning.parts.find(object, place.words.at(-1) ?? '');
    if (part !== undefined) return part;
    const shape = planClass(object, place, planning);
    return shape === undefined ? rawPlan(own) : { form: 'object', shape };
  }
  const collection = own.type === 'array' ? planList(own, place, planning) : planMap(own, place, planning);
  return collection ?? leafPlan(own);
}

function planList(schema: StructuralSchema, { words }: Place, planning: Planning): ValuePlan | undefined {
  const { type: _, items, minItems, maxItems, ...rest } = schema;
  const { 'x-kubernetes-list-type': listType = 'atomic', 'x-kubernetes-list-map-keys': mapKeys, ...more } = rest;
  if (items === undefined || Object.keys(more).length > 0) return undefined;
  const item = planItem(items, words, planning);
  const byDefault = mapKeys !== undefined ? 'map' : items.enum !== undefined ? 'set' : 'atomic';
  const fits = listType === 'map' ? hasKeys(item, mapKeys) : mapKeys === undefined;
  if (!fits || (listType === 'set' && item.value.form !== 'leaf')) return undefined;
  const options = { minItems, maxItems, mapKeys, listType: listType === byDefault ? undefined : listType };
  return { form: 'list', item, options: given(options) };
}

/** Reports whether `Field.list` accepts the map keys of a list: each key must be a required scalar field of the items. */
function hasKeys({ value }: ItemPlan, keys: readonly string[] | undefined): boolean {
  if (value.form !== 'object' || keys === undefined) return false;
  return keys.every((key) => {
    const field = value.shape.fields.find(({ name }) => name === key);
    return field?.value.form === 'leaf' && field.options['optional'] !== true;
  });
}

function planMap(schema: StructuralSchema, { words }: Place, planning: Planning): ValuePlan | undefined {
  const { type, additionalProperties, minProperties, maxProperties, ...rest } = schema;
  const { 'x-kubernetes-map-type': mapType, ...more } = rest;
  if (type !== 'object' || typeof additionalProperties !== 'object' || Object.keys(more).length > 0) return undefined;
  const options = given({ minProperties, maxProperties, mapType });
  return { form: 'map', item: planItem(additionalProperties, words, planning), options };
}

function planItem(schema: StructuralSchema, words: readonly string[], planning: Planning): ItemPlan {
  const last = words.at(-1) ?? '';
  const place = { words: [...words.slice(0, -1), wordOf(singular(last))], isItem: true };
  const value = planning.valueOf(schema, place);
  const rules = rulesBeside(value, schema);
  const { default: fallback, ...options } = sharedOptions(schema);
  const isInClass = value.form === 'object' && commentKeeps(schema.description);
  const description = isInClass ? undefined : schema.description;
  const fieldOptions = { description, ...options, default: fallback, rules: rules.length === 0 ? undefined : rules };
  return { value: fitting(value, schema), options: given(fieldOptions) };
}
