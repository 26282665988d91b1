import type { Steps } from '../apply/steps.js';
import type { ErrorList } from './error-list.js';
import { fieldErrors } from './field-errors.js';
import { compileGoPattern } from './go-pattern.js';
import { childPath, isJsonMap, ownValue, sameJson } from './json-shape.js';
import type { StructuralSchema } from './structural-schema.js';

/** The keywords that are not allowed within allOf, anyOf, oneOf and not, with the error message of each keyword. */
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
 * Adds the errors in `allOf`, `anyOf`, `oneOf` and `not` of a schema. The schemas in these keywords can restrict values, but must not
 * define structure. At the root, they can mention only fields that the root schema declares. The `anyOf` with the types integer and string,
 * which expresses int-or-string, is allowed.
 */
export function* checkNested(
  schema: StructuralSchema,
  { path, atRoot, found }: { readonly path: string; readonly atRoot: boolean; readonly found: ErrorList },
): Steps<void> {
  yield* checkPattern(schema, path, found);
  for (const { nested, at } of alternativesOf(schema, path)) {
    const spelled = at.startsWith(childPath(path, 'anyOf')) && isIntOrString(schema.anyOf);
    if (!spelled) yield* checkValue(nested, { path: at, first: at === `${childPath(path, 'allOf')}[0]` }, found);
    if (atRoot) yield* checkMissing(nested, schema, { path, at, found });
  }
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
  /** Whether this is the first schema of an allOf. Only in this schema, an anyOf may express int-or-string. */
  readonly first?: boolean;
}

function* checkValue(schema: StructuralSchema, { path, first = false }: NestedAt, found: ErrorList): Steps<void> {
  if (found.isBreakDue()) yield;
  yield* checkPattern(schema, path, found);
  for (const [key, why] of FORBIDDEN) {
    if (isSet(schema[key])) found.add([fieldErrors.forbidden(childPath(path, key), why)]);
  }
  if (ownValue(schema.properties, 'metadata') !== undefined) {
    const why = 'must not be specified in a nested context';
    found.add([fieldErrors.forbidden(`${childPath(path, 'properties')}[metadata]`, why)]);
  }
  for (const { nested, at } of alternativesOf(schema, path)) {
    if (first && at.startsWith(childPath(path, 'anyOf')) && isIntOrString(schema.anyOf)) continue;
    yield* checkValue(nested, { path: at }, found);
  }
  if (isJsonMap(schema.items)) yield* checkValue(schema.items, { path: childPath(path, 'items') }, found);
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    yield* checkValue(property, { path: `${childPath(path, 'properties')}[${key}]` }, found);
  }
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === false || value === '') return false;
  return !Array.isArray(value) || value.length > 0;
}

function* checkPattern({ pattern }: StructuralSchema, path: string, found: ErrorList): Steps<void> {
  if (pattern === undefined || pattern === '') return;
  const { error } = compileGoPattern(pattern);
  if (error !== undefined) {
    const says = `must be a valid regular expression, but isn't: ${error}`;
    found.add([fieldErrors.invalid(childPath(path, 'pattern'), pattern, says)]);
  }
  yield;
}

interface Pair {
  /** The path of the schema that must declare the value. */
  readonly path: string;
  /** The path of the nested schema that mentions the value. */
  readonly at: string;
  readonly found: ErrorList;
}

function* checkMissing(
  nested: StructuralSchema,
  shape: StructuralSchema | undefined,
  { path, at, found }: Pair,
): Steps<void> {
  if (found.isBreakDue()) yield;
  if (shape === undefined) {
    found.add([fieldErrors.required(path, `because it is defined in ${at}`)]);
    return;
  }
  for (const alternative of alternativesOf(nested, at)) {
    yield* checkMissing(alternative.nested, shape, { path, at: alternative.at, found });
  }
  if (isJsonMap(nested.items)) {
    const within = { path: childPath(path, 'items'), at: childPath(at, 'items'), found };
    yield* checkMissing(nested.items, shape.items, within);
  }
  for (const [key, property] of Object.entries(nested.properties ?? {})) {
    const [inShape, inNested] = [path, at].map((each) => `${childPath(each, 'properties')}[${key}]`);
    const within = { path: inShape ?? '', at: inNested ?? '', found };
    yield* checkMissing(property, ownValue(shape.properties, key), within);
  }
}
