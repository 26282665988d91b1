import { append } from '../objects/append.js';
import type { FieldError } from './field-error.js';
import { fieldErrors } from './field-errors.js';
import { compileGoPattern } from './go-pattern.js';
import { childPath, isJsonMap, ownValue, sameJson } from './json-shape.js';
import type { StructuralSchema } from './structural-schema.js';

/** What may not be said about a value within allOf, anyOf, oneOf and not: the key, how its absence is worded, the test. */
const FORBIDDEN: readonly (readonly [keyof StructuralSchema, string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

/**
 * What is wrong with the alternatives of a schema: they may restrict values and not give shape; those of the root speak only
 * of fields that the schema itself names. The pair of types that spells out int-or-string is allowed.
 */
export function checkNested(schema: StructuralSchema, path: string, atRoot: boolean): readonly FieldError[] {
  const errors: FieldError[] = [...patternErrors(schema, path)];
  for (const { nested, at } of alternativesOf(schema, path)) {
    const spelled = at.startsWith(childPath(path, 'anyOf')) && isIntOrString(schema.anyOf);
    if (!spelled) append(errors, valueErrors(nested, { path: at, first: at === `${childPath(path, 'allOf')}[0]` }));
    if (atRoot) append(errors, missingErrors(nested, schema, { path, at }));
  }
  return errors;
}

interface Alternative {
  readonly nested: StructuralSchema;
  readonly at: string;
}

function alternativesOf(schema: StructuralSchema, path: string): readonly Alternative[] {
  const found: Alternative[] = [];
  for (const key of ['allOf', 'anyOf', 'oneOf'] as const) {
    (schema[key] ?? []).forEach((nested, index) => found.push({ nested, at: `${childPath(path, key)}[${index}]` }));
  }
  if (schema.not !== undefined) found.push({ nested: schema.not, at: childPath(path, 'not') });
  return found;
}

function isIntOrString(alternatives: readonly StructuralSchema[] | undefined): boolean {
  return sameJson(alternatives, INT_OR_STRING);
}

interface NestedAt {
  readonly path: string;
  /** Whether it is the first of an allOf, where an anyOf may spell out int-or-string. */
  readonly first?: boolean;
}

function valueErrors(schema: StructuralSchema, { path, first = false }: NestedAt): readonly FieldError[] {
  const errors: FieldError[] = [...patternErrors(schema, path)];
  for (const [key, why] of FORBIDDEN) {
    if (isSet(schema[key])) errors.push(fieldErrors.forbidden(childPath(path, key), why));
  }
  if (ownValue(schema.properties, 'metadata') !== undefined) {
    const why = 'must not be specified in a nested context';
    errors.push(fieldErrors.forbidden(`${childPath(path, 'properties')}[metadata]`, why));
  }
  for (const { nested, at } of alternativesOf(schema, path)) {
    if (first && at.startsWith(childPath(path, 'anyOf')) && isIntOrString(schema.anyOf)) continue;
    append(errors, valueErrors(nested, { path: at }));
  }
  if (isJsonMap(schema.items)) append(errors, valueErrors(schema.items, { path: childPath(path, 'items') }));
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    append(errors, valueErrors(property, { path: `${childPath(path, 'properties')}[${key}]` }));
  }
  return errors;
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === false || value === '') return false;
  return !Array.isArray(value) || value.length > 0;
}

function patternErrors({ pattern }: StructuralSchema, path: string): readonly FieldError[] {
  if (pattern === undefined || pattern === '') return [];
  const { error } = compileGoPattern(pattern);
  if (error === undefined) return [];
  const says = `must be a valid regular expression, but isn't: ${error}`;
  return [fieldErrors.invalid(childPath(path, 'pattern'), pattern, says)];
}

interface Pair {
  /** Where the shape is. */
  readonly path: string;
  /** Where the value is spoken of. */
  readonly at: string;
}

function missingErrors(
  nested: StructuralSchema,
  shape: StructuralSchema | undefined,
  { path, at }: Pair,
): readonly FieldError[] {
  if (shape === undefined) return [fieldErrors.required(path, `because it is defined in ${at}`)];
  const errors: FieldError[] = [];
  for (const alternative of alternativesOf(nested, at)) {
    append(errors, missingErrors(alternative.nested, shape, { path, at: alternative.at }));
  }
  if (isJsonMap(nested.items)) {
    append(
      errors,
      missingErrors(nested.items, shape.items, { path: childPath(path, 'items'), at: childPath(at, 'items') }),
    );
  }
  for (const [key, property] of Object.entries(nested.properties ?? {})) {
    const pair = { path: `${childPath(path, 'properties')}[${key}]`, at: `${childPath(at, 'properties')}[${key}]` };
    append(errors, missingErrors(property, ownValue(shape.properties, key), pair));
  }
  return errors;
}
