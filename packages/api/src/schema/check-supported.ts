import type { Steps } from '../apply/steps.js';
import { append } from '../objects/append.js';
import { checkListRules } from './check-list-rules.js';
import { checkRules } from './check-rules.js';
import type { ErrorList } from './error-list.js';
import type { FieldError } from './field-error.js';
import { fieldErrors } from './field-errors.js';
import { childPath, hasKeys, isJsonMap } from './json-shape.js';
import type { StructuralSchema } from './structural-schema.js';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const UNSUPPORTED = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'] as const;
const META_FIELDS = ['apiVersion', 'kind', 'metadata'];
const EMBEDDED = 'x-kubernetes-embedded-resource';

interface Node {
  readonly schema: StructuralSchema;
  readonly path: string;
  readonly root?: boolean;
  /** Whether the schema is within apiVersion, kind or metadata. */
  readonly insideMeta?: boolean;
  /** The reason why a default is not allowed at this node. */
  readonly noDefault?: string | undefined;
}

/**
 * Adds an error for each schema feature that the API server does not support. The errors of nested schemas precede the errors in the list
 * type and the CEL rules of the containing schema.
 */
export function* checkSupported(schema: StructuralSchema, path: string, found: ErrorList): Steps<void> {
  yield* checkNode({ schema, path, root: true }, found);
}

function* checkNode(node: Node, found: ErrorList): Steps<void> {
  if (found.isBreakDue()) yield;
  const { schema, path } = node;
  found.add(standard(node));
  if (schema.uniqueItems === true) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    found.add([fieldErrors.forbidden(childPath(path, 'uniqueItems'), why)]);
  }
  const { additionalProperties } = schema;
  if (additionalProperties !== undefined && additionalProperties !== true && hasKeys(schema.properties)) {
    const why = 'additionalProperties and properties are mutual exclusive';
    found.add([fieldErrors.forbidden(childPath(path, 'additionalProperties'), why)]);
  }
  for (const child of children(node)) yield* checkNode(child, found);
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    const at = childPath(path, 'x-kubernetes-preserve-unknown-fields');
    found.add([fieldErrors.invalid(at, false, 'must be true or undefined')]);
  }
  found.add(checkListRules(schema, path), checkRules(schema, path));
}

function standard({ schema, path, insideMeta, noDefault }: Node): readonly FieldError[] {
  const { type = '' } = schema;
  const at = childPath(path, 'type');
  const errors: FieldError[] = [];
  if (type !== '' && !TYPES.includes(type)) errors.push(fieldErrors.notSupported(at, type, TYPES));
  if (schema.default !== undefined && noDefault !== undefined) {
    errors.push(fieldErrors.forbidden(childPath(path, 'default'), `must not be set ${noDefault}`));
  }
  for (const key of UNSUPPORTED) {
    if (Object.hasOwn(schema, key)) errors.push(fieldErrors.forbidden(childPath(path, key), `${key} is not supported`));
  }
  if (type === 'null') {
    errors.push(fieldErrors.forbidden(at, 'type cannot be set to null, use nullable as an alternative'));
  }
  if (Array.isArray(schema.items)) {
    errors.push(fieldErrors.forbidden(childPath(path, 'items'), 'items must be a schema object and not an array'));
  }
  if (insideMeta && schema[EMBEDDED] === true) {
    errors.push(fieldErrors.forbidden(childPath(path, EMBEDDED), 'must not be used inside of resource meta'));
  }
  return errors;
}

function children({ schema, path, root, insideMeta, noDefault }: Node): readonly Node[] {
  const nodes: Node[] = [];
  const inherited = { insideMeta: insideMeta === true, noDefault };
  const { additionalProperties, items } = schema;
  if (isJsonMap(additionalProperties)) {
    const why = insideMeta ? 'inside additionalProperties applying to object metadata' : noDefault;
    const at = childPath(path, 'additionalProperties');
    nodes.push({ ...inherited, schema: additionalProperties, path: at, noDefault: why });
  }
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const at = `${childPath(path, 'properties')}[${key}]`;
    const meta = META_FIELDS.includes(key) && (root === true || schema[EMBEDDED] === true);
    const why = meta && root ? `in top-level ${key}` : noDefault;
    nodes.push({ schema: property, path: at, insideMeta: inherited.insideMeta || meta, noDefault: why });
  }
  if (schema.not !== undefined) nodes.push({ ...inherited, schema: schema.not, path: childPath(path, 'not') });
  for (const key of ['allOf', 'oneOf', 'anyOf'] as const) {
    const listed = schema[key] ?? [];
    append(
      nodes,
      listed.map((nested, at) => ({ ...inherited, schema: nested, path: `${childPath(path, key)}[${at}]` })),
    );
  }
  if (isJsonMap(items)) nodes.push({ ...inherited, schema: items, path: childPath(path, 'items') });
  return nodes;
}
