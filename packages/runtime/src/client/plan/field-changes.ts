import { isJsonObject } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';
import type { StructuralSchema } from '@kubewright/api/schema';
import { isSecretObject } from '@kubewright/api/secrets';
import { SERVER_METADATA } from '../bodies/applied-configuration.js';
import { APPLIED_ANNOTATION_PREFIX } from '../owners/owner-label.js';
import type { FieldChange } from './field-change.js';
import { HiddenTexts } from './hidden-texts.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Fields that usually identify the elements of a list. A field is used if the schema has no keys that identify the elements, and if all
 * elements have different values in the field.
 */
const USUAL_KEYS = ['name', 'type', 'uid', 'key'];
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Returns the fields that differ between two states of an object, with one entry per value. The fields of a map are sorted by name.
 * Compares list elements by the keys of the schema, by a usual key field or by position, or compares the lists as a whole. Ignores the
 * apiVersion, the kind, and fields that only the server writes. Omits the values of secret fields, and masks credentials in other texts.
 */
export function fieldChanges(
  before: object | undefined,
  after: object | undefined,
  schema: StructuralSchema | undefined,
): readonly FieldChange[] {
  const isSecret = [before, after].some((object) => isSecretObject(object));
  const hidden = new HiddenTexts({ schema, isSecret });
  const changes = [...differences(hidden.in(shown(before)), hidden.in(shown(after)), { path: '', schema })];
  return changes
    .filter(({ field }) => field !== 'apiVersion' && field !== 'kind')
    .map((change) => {
      if (isSecret && isSecretField(change.field)) return { field: change.field, secret: true };
      return hidden.shownChange(change);
    });
}

/** Returns the object without the fields that are not shown as changes. */
function shown(object: object | undefined): Fields {
  const fields = (object ?? {}) as Fields;
  if (!isJsonObject(fields['metadata'])) return fields;
  const metadata = Object.fromEntries(
    Object.entries(fields['metadata']).filter(([name]) => !SERVER_METADATA.includes(name)),
  );
  const { annotations } = metadata;
  if (isJsonObject(annotations)) {
    const kept = Object.entries(annotations).filter(([name]) => !name.startsWith(APPLIED_ANNOTATION_PREFIX));
    if (kept.length === 0) delete metadata['annotations'];
    else metadata['annotations'] = Object.fromEntries(kept);
  }
  return { ...fields, metadata };
}

function isSecretField(field: string): boolean {
  return /^(?:data|stringData)\b/.test(field) || field.includes(LAST_APPLIED);
}

interface Place {
  readonly path: string;
  readonly schema: StructuralSchema | undefined;
}

function* differences(from: unknown, to: unknown, place: Place): Generator<FieldChange> {
  if (deepEqual(from, to)) return;
  const maps = [from, to].every((value) => value === undefined || isJsonObject(value));
  if (maps && hasFields(from, to)) {
    yield* mapDifferences((from ?? {}) as Fields, (to ?? {}) as Fields, place);
    return;
  }
  const lists = [from, to].every((value) => value === undefined || Array.isArray(value));
  const keys = lists ? keysOf(from as unknown[] | undefined, to as unknown[] | undefined, place.schema) : undefined;
  if (keys === undefined && areAlike(from, to)) {
    const items = place.schema?.items;
    for (const [at, value] of (from as readonly unknown[]).entries()) {
      yield* differences(value, (to as readonly unknown[])[at], { path: `${place.path}[${at}]`, schema: items });
    }
    return;
  }
  if (keys === undefined) {
    yield { field: place.path, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    return;
  }
  const before = byKey((from ?? []) as readonly Fields[], keys);
  const after = byKey((to ?? []) as readonly Fields[], keys);
  const schema = place.schema?.items;
  for (const [key, value] of before)
    yield* differences(value, after.get(key), { path: `${place.path}[${key}]`, schema });
  for (const [key, value] of after) {
    if (!before.has(key)) yield* differences(undefined, value, { path: `${place.path}[${key}]`, schema });
  }
}

/** Whether elements of two lists can be compared by index: the lists have the same length and contain only objects. */
function areAlike(from: unknown, to: unknown): boolean {
  if (!Array.isArray(from) || !Array.isArray(to) || from.length !== to.length) return false;
  return [...from, ...to].every((item) => isJsonObject(item));
}

/** Whether at least one value is a map with fields. If not, the map itself has changed, for example from undefined to an empty map. */
function hasFields(from: unknown, to: unknown): boolean {
  return [from, to].some((value) => isJsonObject(value) && Object.keys(value).length > 0);
}

function* mapDifferences(from: Fields, to: Fields, { path, schema }: Place): Generator<FieldChange> {
  const names = new Set([...Object.keys(from), ...Object.keys(to)]);
  for (const name of [...names].toSorted()) {
    const additional = schema?.additionalProperties;
    const inner = schema?.properties?.[name] ?? (typeof additional === 'object' ? additional : undefined);
    yield* differences(from[name], to[name], { path: joined(path, name), schema: inner });
  }
}

function joined(path: string, name: string): string {
  if (!/^[\w$-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

/** Returns the fields that identify the elements of both lists. Returns undefined if no known fields identify all elements. */
function keysOf(
  from: readonly unknown[] = [],
  to: readonly unknown[] = [],
  schema: StructuralSchema | undefined,
): readonly string[] | undefined {
  const declared = schema?.['x-kubernetes-list-map-keys'];
  const mergeKey = schema?.['x-kubernetes-patch-merge-key'];
  const candidates = [
    ...(declared === undefined ? [] : [declared]),
    ...[mergeKey ?? [], USUAL_KEYS].flat().map((key) => [key]),
  ];
  return candidates.find((keys) => [from, to].every((list) => areKeys(list, keys)));
}

function areKeys(list: readonly unknown[], keys: readonly string[]): boolean {
  const all = list.map((item) =>
    isJsonObject(item) && keys.some((key) => item[key] !== undefined) ? item : undefined,
  );
  if (all.includes(undefined)) return false;
  return byKey(all as readonly Fields[], keys).size === list.length;
}
function byKey(list: readonly Fields[], keys: readonly string[]): ReadonlyMap<string, Fields> {
  return new Map(
    list.map((item) => [
      keys.flatMap((key) => (item[key] === undefined ? [] : [`${key}=${String(item[key])}`])).join(','),
      item,
    ]),
  );
}
