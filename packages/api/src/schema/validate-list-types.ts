import { append } from '../objects/append.js';
import type { FieldError } from './field-error.js';
import { fieldErrors } from './field-errors.js';
import { goJson } from './go-text.js';
import { childPath, isJsonMap, type JsonMap, ownValue } from './json-shape.js';
import type { StructuralSchema } from './structural-schema.js';

/** Returns errors for duplicates in lists of type `set`, and for duplicate keys in lists of type `map`, at all levels of a value. */
export function listTypeErrors(value: unknown, schema: StructuralSchema, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  visit(value, schema, { path, errors });
  return errors;
}

interface Visit {
  readonly path: string;
  readonly errors: FieldError[];
}

function visit(value: unknown, schema: StructuralSchema, { path, errors }: Visit): void {
  if (Array.isArray(value)) {
    visitList(value, schema, { path, errors });
  } else if (isJsonMap(value)) {
    for (const key of Object.keys(value)) {
      const property = ownValue(schema.properties, key);
      if (property !== undefined) visit(value[key], property, { path: childPath(path, key), errors });
      else if (typeof schema.additionalProperties === 'object') {
        visit(value[key], schema.additionalProperties, { path: `${path}[${key}]`, errors });
      }
    }
  }
}

function visitList(list: readonly unknown[], schema: StructuralSchema, { path, errors }: Visit): void {
  append(errors, ownErrors(list, schema, path));
  const { items } = schema;
  if (items === undefined || (items.type !== 'object' && items.type !== 'array' && items.type !== undefined)) return;
  list.forEach((item, index) => visit(item, items, { path: `${path}[${index}]`, errors }));
}

function ownErrors(list: readonly unknown[], schema: StructuralSchema, path: string): readonly FieldError[] {
  const type = schema['x-kubernetes-list-type'];
  if (type === 'set') return duplicates(list, path);
  return type === 'map' ? mapErrors(list, schema['x-kubernetes-list-map-keys'] ?? [], path) : [];
}

function mapErrors(list: readonly unknown[], keys: readonly string[], path: string): readonly FieldError[] {
  const stranger = list.findIndex((item) => item !== null && !isJsonMap(item));
  if (stranger >= 0) {
    const text = 'must be an object for an array of list-type map';
    return [fieldErrors.invalid(`${path}[${stranger}]`, list[stranger], text)];
  }
  return duplicates(
    list.map((item) => keyOf(item, keys)),
    path,
  );
}

function keyOf(item: unknown, keys: readonly string[]): JsonMap {
  if (!isJsonMap(item)) return {};
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(item, key)).map((key) => [key, item[key]]));
}

// Only the first duplicate of a value is reported.
function duplicates(values: readonly unknown[], path: string): readonly FieldError[] {
  if (values.length < 2) return [];
  const seen = new Map<string, number>();
  const errors: FieldError[] = [];
  values.forEach((value, index) => {
    const text = goJson(value);
    const times = seen.get(text) ?? 0;
    seen.set(text, times + 1);
    if (times === 1) errors.push(fieldErrors.duplicate(`${path}[${index}]`, value));
  });
  return errors;
}
