import { append } from '../objects/append.js';
import type { FieldError } from './field-error.js';
import { fieldErrors } from './field-errors.js';
import { childPath, isJsonMap, ownValue } from './json-shape.js';
import type { StructuralSchema } from './structural-schema.js';

const LIST_TYPE = 'x-kubernetes-list-type';
const LIST_KEYS = 'x-kubernetes-list-map-keys';
const MAP_TYPE = 'x-kubernetes-map-type';
/** The approximate maximum number of keys that all errors about the keys of a list contain together. */
const MOST_LISTED_KEYS = 10_000;

/** Returns the errors in the merge strategy of a list or a map. */
export function checkListRules(schema: StructuralSchema, path: string): readonly FieldError[] {
  return [
    ...mergeType(schema, { path, key: MAP_TYPE, type: 'object', known: ['atomic', 'granular'] }),
    ...mergeType(schema, { path, key: LIST_TYPE, type: 'array', known: ['atomic', 'set', 'map'] }),
    ...setItems(schema, path),
    ...keysWithoutMap(schema, path),
    ...listMap(schema, path),
  ];
}

interface MergeType {
  readonly path: string;
  readonly key: typeof LIST_TYPE | typeof MAP_TYPE;
  readonly type: string;
  readonly known: readonly string[];
}

function mergeType(schema: StructuralSchema, { path, key, type, known }: MergeType): readonly FieldError[] {
  const value = schema[key];
  if (value === undefined) return [];
  const errors: FieldError[] = [];
  const why = `must be ${type} if ${key} is specified`;
  if (!schema.type) errors.push(fieldErrors.required(childPath(path, 'type'), why));
  else if (schema.type !== type) errors.push(fieldErrors.invalid(childPath(path, 'type'), schema.type, why));
  if (!known.includes(value)) errors.push(fieldErrors.notSupported(childPath(path, key), value, known));
  return errors;
}

// The items of a set are compared as a whole, so they must not be merged field by field.
function setItems(schema: StructuralSchema, path: string): readonly FieldError[] {
  const { items, type } = schema;
  const listType = schema[LIST_TYPE];
  if (!isJsonMap(items) || (listType !== 'set' && listType !== 'map')) return [];
  const at = childPath(path, 'items');
  const errors: FieldError[] = [];
  if (items.nullable === true) {
    errors.push(fieldErrors.forbidden(`${at}.nullable`, `cannot be nullable when ${LIST_TYPE} is ${listType}`));
  }
  if (listType !== 'set' || type !== 'array') return errors;
  const why = `must be atomic as item of a list with ${LIST_TYPE}=set`;
  const itemListType = items[LIST_TYPE];
  if (items.type === 'array' && itemListType !== undefined && itemListType !== 'atomic') {
    errors.push(fieldErrors.invalid(`${at}.${LIST_TYPE}`, itemListType, why));
  } else if (items.type === 'object' && items[MAP_TYPE] !== 'atomic') {
    errors.push(fieldErrors.invalid(`${at}.${MAP_TYPE}`, itemListType ?? null, why));
  }
  return errors;
}

function keysWithoutMap(schema: StructuralSchema, path: string): readonly FieldError[] {
  const type = schema[LIST_TYPE];
  if ((schema[LIST_KEYS] ?? []).length === 0 || type === 'map') return [];
  const at = childPath(path, LIST_TYPE);
  const why = `must be map if ${LIST_KEYS} is non-empty`;
  return [type === undefined ? fieldErrors.required(at, why) : fieldErrors.invalid(at, type, why)];
}

function listMap(schema: StructuralSchema, path: string): readonly FieldError[] {
  if (schema[LIST_TYPE] !== 'map') return [];
  const keys = schema[LIST_KEYS] ?? [];
  const { items } = schema;
  const errors: FieldError[] = [];
  if (keys.length === 0) {
    errors.push(fieldErrors.required(childPath(path, LIST_KEYS), `must not be empty if ${LIST_TYPE} is map`));
  }
  const at = childPath(path, 'items');
  if (!isJsonMap(items)) return [...errors, fieldErrors.required(at, `must have a schema if ${LIST_TYPE} is map`)];
  if (items.type !== 'object') {
    const why = `must be object if parent array's ${LIST_TYPE} is map`;
    return [...errors, fieldErrors.invalid(`${at}.type`, items.type ?? '', why)];
  }
  append(errors, keyErrors({ path, items, keys }));
  return errors;
}

interface KeyedList {
  readonly path: string;
  readonly items: StructuralSchema;
  readonly keys: readonly string[];
}

function keyErrors({ path, items, keys }: KeyedList): readonly FieldError[] {
  const errors: FieldError[] = [];
  const required = new Set(items.required ?? []);
  const seen = new Set<string>();
  // Each of these errors lists all keys, so a longer list of keys allows fewer errors.
  let most = Math.ceil(MOST_LISTED_KEYS / keys.length);
  const addAtKeys = (why: string): void => {
    most -= 1;
    if (most >= 0) errors.push(fieldErrors.invalid(childPath(path, LIST_KEYS), keys, why));
  };
  for (const key of keys) {
    const property = ownValue(items.properties, key);
    const at = `${childPath(path, 'items')}.properties[${key}]`;
    if (property === undefined) addAtKeys('entries must all be names of item properties');
    else append(errors, keyPropertyErrors(property, { at, items, isRequired: required.has(key) }));
    if (seen.has(key)) addAtKeys('must not contain duplicate entries');
    seen.add(key);
  }
  return errors;
}

function keyPropertyErrors(
  property: StructuralSchema,
  { at, items, isRequired }: { readonly at: string; readonly items: StructuralSchema; readonly isRequired: boolean },
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (property.type === 'array' || property.type === 'object') {
    const why = `must be a scalar type if parent array's ${LIST_TYPE} is map`;
    errors.push(fieldErrors.invalid(`${at}.type`, items.type, why));
  }
  const reason = `this property is in ${LIST_KEYS}, so it`;
  if (!isRequired && property.default === undefined) {
    errors.push(fieldErrors.required(`${at}.default`, `${reason} must have a default or be a required property`));
  }
  if (property.nullable === true) {
    errors.push(fieldErrors.forbidden(`${at}.nullable`, `${reason} cannot be nullable`));
  }
  return errors;
}
