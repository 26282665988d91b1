import { childPath, isJsonMap, type JsonMap, ownValue, setOwn } from './json-shape.js';
import { pruneObjectMeta } from './object-meta-fields.js';
import type { StructuralSchema } from './structural-schema.js';

/** A value without its unknown fields, and the paths of the unknown fields. */
export interface Pruned<T> {
  readonly value: T;
  /** Sorted paths such as `spec.ports[0].color`. */
  readonly unknownFields: readonly string[];
}

interface Node {
  readonly schema: StructuralSchema | undefined;
  readonly path: string;
  readonly unknown: string[];
  /** Whether the value has `apiVersion`, `kind` and `metadata` regardless of its schema. */
  readonly resource: boolean;
}

/**
 * Removes the fields that the schema of a whole object does not name. Keeps `apiVersion`, `kind` and `metadata` at the root and in embedded
 * resources. In `metadata`, keeps the fields of ObjectMeta. Never changes `value`. Returns `value` itself if there are no unknown fields.
 */
export function prune<T>(value: T, schema: StructuralSchema): Pruned<T> {
  const unknown: string[] = [];
  const kept = pruneNode(value, { schema, path: '', unknown, resource: true });
  return { value: kept as T, unknownFields: unknown.toSorted() };
}

/** Removes unknown fields as `prune` does, from a value that is part of an object. */
export function pruneWithin<T>(value: T, schema: StructuralSchema): Pruned<T> {
  const unknown: string[] = [];
  const kept = pruneNode(value, { schema, path: '', unknown, resource: isResource(schema) });
  return { value: kept as T, unknownFields: unknown.toSorted() };
}

function pruneNode(value: unknown, node: Node): unknown {
  if (Array.isArray(value)) return pruneList(value, node);
  return isJsonMap(value) ? pruneMap(value, node) : value;
}

function pruneList(value: readonly unknown[], { schema, path, unknown }: Node): unknown {
  const preserved = keepsUnknown(schema);
  if (preserved && schema?.items === undefined) return value;
  let kept: unknown[] | undefined;
  value.forEach((item, index) => {
    const next = pruneNode(item, itemNode(schema, `${path}[${index}]`, unknown));
    if (next === item) return;
    kept ??= [...value];
    kept[index] = next;
  });
  return kept ?? value;
}

function itemNode(schema: StructuralSchema | undefined, path: string, unknown: string[]): Node {
  return { schema: schema?.items, path, unknown, resource: isResource(schema?.items) };
}

function pruneMap(value: JsonMap, node: Node): unknown {
  let kept: Record<string, unknown> | undefined;
  for (const [at, key] of Object.keys(value).entries()) {
    const before = value[key];
    const after = pruneEntry(key, before, node);
    if (after !== before) kept ??= firstFields(value, at);
    if (kept !== undefined && after !== DROPPED) setOwn(kept, key, after);
  }
  return kept ?? value;
}

/** Copies the first fields of a map. Adding the other fields one by one is faster than deleting most fields of a copy. */
function firstFields(value: JsonMap, count: number): Record<string, unknown> {
  const first: Record<string, unknown> = {};
  for (const key of Object.keys(value).slice(0, count)) setOwn(first, key, value[key]);
  return first;
}

const DROPPED = Symbol('dropped');

function pruneEntry(key: string, value: unknown, { schema, path, unknown, resource }: Node): unknown {
  const at = childPath(path, key);
  if (resource) {
    if (key === 'metadata') return pruneObjectMeta(value, at, unknown);
    if (key === 'apiVersion' || key === 'kind') return value;
  }
  const property = ownValue(schema?.properties, key);
  if (property !== undefined) {
    return pruneNode(value, { schema: property, path: at, unknown, resource: isResource(property) });
  }
  const additional = schema?.additionalProperties;
  if (typeof additional === 'object') {
    return pruneNode(value, { schema: additional, path: at, unknown, resource: isResource(additional) });
  }
  if (keepsUnknown(schema)) return value;
  if (typeof additional === 'boolean')
    return pruneNode(value, { schema: undefined, path: at, unknown, resource: false });
  unknown.push(at);
  return DROPPED;
}

function isResource(schema: StructuralSchema | undefined): boolean {
  return schema?.['x-kubernetes-embedded-resource'] === true;
}

// A schema without type, properties and items allows any JSON value, as in the built-in kinds.
function keepsUnknown(schema: StructuralSchema | undefined): boolean {
  if (schema === undefined) return false;
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return true;
  return schema.type === undefined && schema.properties === undefined && schema.items === undefined;
}
