import { finish, type Steps } from '../apply/steps.js';
import { checkDefaults } from './check-defaults.js';
import { checkNested } from './check-nested.js';
import { checkSupported } from './check-supported.js';
import { ErrorList } from './error-list.js';
import type { FieldError } from './field-error.js';
import { fieldErrors } from './field-errors.js';
import { childPath, hasKeys, isJsonMap } from './json-shape.js';
import type { StructuralSchema } from './structural-schema.js';
import type { BriefOptions } from './time-limit.js';

/** The position of a schema within the schema of a resource. */
type Level = 'root' | 'item' | 'field';

interface Node {
  readonly schema: StructuralSchema;
  readonly level: Level;
  readonly path: string;
}

/**
 * Returns the errors of a schema as part of a CustomResourceDefinition, in the wording and order of the API server. A valid schema is
 * structural, has valid defaults without unknown fields, and uses only supported features. Does not compile CEL rules, but checks their
 * form.
 */
export function checkStructural(schema: StructuralSchema, path: string): readonly FieldError[] {
  return finish(checkStructuralSteps(schema, path));
}

/** Validates a schema in steps. With `isBrief`, throws TakesLong if the validation of a default takes long. */
export function* checkStructuralSteps(
  schema: StructuralSchema,
  path: string,
  { isBrief }: BriefOptions = {},
): Steps<readonly FieldError[]> {
  const shape = new ErrorList();
  yield* checkShape({ schema, level: 'root', path }, shape);
  yield;
  const found = new ErrorList();
  found.add(sortedByText(shape.errors));
  yield;
  if (found.errors.length === 0) yield* checkDefaults(schema, path, { found, isBrief });
  yield* checkSupported(schema, path, found);
  return found.errors;
}

function sortedByText(errors: readonly FieldError[]): readonly FieldError[] {
  const texts = errors.map((error) => ({ error, text: `${error.field}: ${error.message}` }));
  texts.sort((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)));
  return texts.map(({ error }) => error);
}

function* checkShape(node: Node, found: ErrorList): Steps<void> {
  if (found.isBreakDue()) yield;
  found.add(checkType(node), checkExtensions(node), checkObjectParts(node), checkMetadata(node));
  yield* checkNested(node.schema, { path: node.path, atRoot: node.level === 'root', found });
  for (const child of children(node)) yield* checkShape(child, found);
}

function children({ schema, path }: Node): readonly Node[] {
  const { items, properties, additionalProperties } = schema;
  const nodes: Node[] = [];
  if (isJsonMap(items)) nodes.push({ schema: items, level: 'item', path: childPath(path, 'items') });
  for (const [key, property] of Object.entries(properties ?? {})) {
    nodes.push({ schema: property, level: 'field', path: `${childPath(path, 'properties')}[${key}]` });
  }
  if (isJsonMap(additionalProperties)) {
    nodes.push({ schema: additionalProperties, level: 'field', path: childPath(path, 'additionalProperties') });
  }
  return nodes;
}

const EMPTY_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function checkType({ schema, level, path }: Node): readonly FieldError[] {
  const { type = '' } = schema;
  const at = childPath(path, 'type');
  if (type === '') return checkMissingType({ schema, level, path: at });
  const errors: FieldError[] = [];
  if (schema['x-kubernetes-embedded-resource'] === true && type !== 'object') {
    errors.push(fieldErrors.invalid(at, type, 'must be object if x-kubernetes-embedded-resource is true'));
  }
  if (level === 'root' && type !== 'object') errors.push(fieldErrors.invalid(at, type, 'must be object at the root'));
  if (type === 'array' && schema.items === undefined) {
    errors.push(fieldErrors.required(childPath(path, 'items'), 'must be specified'));
  }
  return errors;
}

function checkMissingType({ schema, level, path }: Node): readonly FieldError[] {
  if (schema['x-kubernetes-embedded-resource'] === true) {
    return [fieldErrors.required(path, 'must be object if x-kubernetes-embedded-resource is true')];
  }
  const free = schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  return free ? [] : [fieldErrors.required(path, EMPTY_TYPE[level])];
}

function checkExtensions({ schema, path }: Node): readonly FieldError[] {
  if (schema['x-kubernetes-int-or-string'] !== true) return [];
  const errors: FieldError[] = [];
  for (const key of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
    if (schema[key] !== true) continue;
    errors.push(fieldErrors.invalid(childPath(path, key), true, 'must be false if x-kubernetes-int-or-string is true'));
  }
  return errors;
}

function checkObjectParts({ schema, level, path }: Node): readonly FieldError[] {
  const { additionalProperties, properties } = schema;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const named = hasKeys(properties);
  const at = childPath(path, 'additionalProperties');
  const errors: FieldError[] = [];
  if (additionalProperties !== undefined) {
    if (level === 'root') errors.push(fieldErrors.forbidden(at, 'must not be used at the root'));
    if (embedded) errors.push(fieldErrors.forbidden(at, 'must not be used if x-kubernetes-embedded-resource is set'));
  }
  if (embedded && !named && schema['x-kubernetes-preserve-unknown-fields'] !== true) {
    const why =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(fieldErrors.required(childPath(path, 'properties'), why));
  }
  return errors;
}

// The schema of the metadata of a resource is fixed. A schema can restrict only name and generateName.
function checkMetadata({ schema, level, path }: Node): readonly FieldError[] {
  if (level !== 'root' && schema['x-kubernetes-embedded-resource'] !== true) return [];
  const { kind, apiVersion, metadata } = schema.properties ?? {};
  const at = childPath(path, 'properties');
  const errors: FieldError[] = [];
  for (const [key, property] of Object.entries({ kind, apiVersion })) {
    if (property === undefined || property.type === 'string') continue;
    errors.push(fieldErrors.invalid(`${at}[${key}].type`, property.type ?? '', 'must be string'));
  }
  if (metadata === undefined) return errors;
  if (metadata.type !== 'object') {
    errors.push(fieldErrors.invalid(`${at}[metadata].type`, metadata.type ?? '', 'must be object'));
  }
  if (level === 'root' && !restrictsNamesOnly(metadata)) {
    const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(fieldErrors.forbidden(`${at}[metadata]`, why));
  }
  return errors;
}

function restrictsNamesOnly(metadata: StructuralSchema): boolean {
  const keys = Object.keys(metadata).filter((key) => key !== 'type' && key !== 'default');
  if (keys.some((key) => key !== 'properties')) return false;
  return Object.keys(metadata.properties ?? {}).every((key) => key === 'name' || key === 'generateName');
}
