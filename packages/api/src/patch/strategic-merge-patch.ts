import { Breaks } from '../apply/breaks.js';
import { finish, type Steps } from '../apply/steps.js';
import { getField, isJsonObject, setField } from '../json/json-object.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { goText, goTextOnly, goTypeName } from './go-value-text.js';
import { PatchError } from './patch-error.js';
import { valueKey } from './value-key.js';

type JsonRecord = Readonly<Record<string, unknown>>;

const directive = '$patch';
const retainKeys = '$retainKeys';
const deleteFrom = '$deleteFromPrimitiveList/';
const elementOrder = '$setElementOrder/';

/**
 * Applies a strategic merge patch: a merge patch that merges the lists for which the schema has the patch strategy `merge`. Items are
 * matched by the `x-kubernetes-patch-merge-key` of the schema, or by value if the schema has no merge key. All other lists are replaced.
 * The patch can contain the directives `$patch`, `$retainKeys`, `$deleteFromPrimitiveList` and `$setElementOrder`. Does not change the
 * document. Throws `PatchError`.
 */
export function applyStrategicMergePatch(document: unknown, patch: unknown, schema: StructuralSchema): unknown {
  return finish(applyStrategicMergePatchSteps(document, patch, schema));
}

/** Applies a strategic merge patch in steps. */
export function* applyStrategicMergePatchSteps(
  document: unknown,
  patch: unknown,
  schema: StructuralSchema,
): Steps<unknown> {
  if (!isJsonObject(patch)) throw new PatchError('malformed', 'a strategic merge patch must be an object');
  const rules = { schema, breaks: new Breaks() };
  return yield* mergeObjects(isJsonObject(document) ? document : {}, patch, rules);
}

/** The rules for the merge of a value. All values of a patch use the same instance of `Breaks`. */
interface MergeRules {
  readonly schema: StructuralSchema | undefined;
  readonly breaks: Breaks;
}

function* mergeObjects(original: JsonRecord, patch: JsonRecord, { schema, breaks }: MergeRules): Steps<JsonRecord> {
  const action = getField(patch, directive);
  if (action === 'replace') return (yield* withoutDirectives(without(patch, directive), breaks)) as JsonRecord;
  if (action === 'delete') return {};
  if (action !== undefined) {
    throw new PatchError('failed', `unknown patch type: ${goTextOnly(action)} in map: ${goText(patch)}`);
  }
  const merged: Record<string, unknown> = retained(original, patch);
  for (const [key, value] of Object.entries(patch)) {
    if (breaks.isDue()) yield;
    if (key === directive || key === retainKeys || key.startsWith(elementOrder)) continue;
    if (key.startsWith(deleteFrom)) deleteValues(merged, key.slice(deleteFrom.length), value);
    else if (value === null) delete merged[key];
    else if (typeof value !== 'object') setOrDelete(merged, key, value);
    else {
      const rules = { schema: fieldSchema(schema, key), breaks };
      setOrDelete(merged, key, yield* mergeField({ merged, patch, key }, value, rules));
    }
  }
  reorderUnpatched(merged, patch, schema);
  return merged;
}

function* mergeField(
  { merged, patch, key }: { readonly merged: JsonRecord; readonly patch: JsonRecord; readonly key: string },
  value: unknown,
  rules: MergeRules,
): Steps<unknown> {
  const { schema, breaks } = rules;
  const current = getField(merged, key);
  const strategies = strategiesOf(schema);
  if (isJsonObject(value)) {
    if (!isJsonObject(current)) return yield* taken(value, breaks);
    return yield* mergeObjects(strategies.includes('replace') ? {} : current, value, rules);
  }
  if (!Array.isArray(value)) return value;
  if (!strategies.includes('merge')) return yield* withoutDirectives(value, breaks);
  const order = orderOf(patch, key);
  if (order !== undefined) checkOrder(value, order, mergeKeyOf(schema));
  if (!Array.isArray(current)) return yield* taken(value, breaks);
  return yield* mergeLists(current, value, { ...rules, order });
}

interface ListRules extends MergeRules {
  readonly order: readonly unknown[] | undefined;
}

function* mergeLists(
  original: readonly unknown[],
  patch: readonly unknown[],
  rules: ListRules,
): Steps<readonly unknown[]> {
  const mergeKey = mergeKeyOf(rules.schema);
  const known = new Set(mergeKey === undefined ? original.map(valueKey) : []);
  const merged =
    mergeKey === undefined
      ? [...original, ...patch.filter((value) => !known.has(valueKey(value)))]
      : yield* mergeItems(original, patch, {
          mergeKey,
          rules: { ...rules, schema: resolved(rules.schema)?.items },
        });
  yield;
  // Without a `$setElementOrder`, the patched items are in the order of the patch.
  return ordered(merged, rules.order ?? patch, { original, mergeKey });
}

function* mergeItems(
  original: readonly unknown[],
  patch: readonly unknown[],
  { mergeKey, rules }: { readonly mergeKey: string; readonly rules: MergeRules },
): Steps<readonly unknown[]> {
  const { breaks } = rules;
  const items = patch.map((value) => {
    if (isJsonObject(value)) return value;
    throw new PatchError('failed', `list element types are not identical: ${goText([original, patch])}`);
  });
  if (items.some((value) => getField(value, directive) === 'replace')) {
    const kept = items.filter((value) => getField(value, directive) !== 'replace');
    return (yield* withoutDirectives(kept, breaks)) as readonly unknown[];
  }
  const merged = [...original];
  const removed = new Set<number>();
  const places = placesOf(original, mergeKey);
  for (const value of items) {
    if (breaks.isDue()) yield;
    const key = getField(value, mergeKey);
    if (key === undefined) {
      throw new PatchError('failed', `map: ${goText(value)} does not contain declared merge key: ${mergeKey}`);
    }
    const found = places.get(valueKey(key)) ?? [];
    const [first] = found;
    if (getField(value, directive) === 'delete') {
      for (const place of found) removed.add(place);
      places.delete(valueKey(key));
    } else if (first === undefined) {
      places.set(valueKey(key), [merged.push(yield* mergeObjects({}, value, rules)) - 1]);
    } else merged[first] = yield* mergeObjects(merged[first] as JsonRecord, value, rules);
  }
  return removed.size === 0 ? merged : merged.filter((_, place) => !removed.has(place));
}

/** Returns the indices of the items of a list, keyed by the values of their merge key. */
function placesOf(list: readonly unknown[], mergeKey: string): Map<unknown, number[]> {
  const places = new Map<unknown, number[]>();
  list.forEach((known, place) => {
    if (!isJsonObject(known)) return;
    const key = valueKey(getField(known, mergeKey));
    const found = places.get(key);
    if (found === undefined) places.set(key, [place]);
    else found.push(place);
  });
  return places;
}

/**
 * Returns the merged elements. The elements that `order` contains are in that order. All other elements keep their positions relative to
 * the original list.
 */
function ordered(
  merged: readonly unknown[],
  order: readonly unknown[],
  { original, mergeKey }: { readonly original: readonly unknown[]; readonly mergeKey: string | undefined },
): readonly unknown[] {
  const positionIn = (list: readonly unknown[]): ((value: unknown) => number) => {
    const positions = new Map<unknown, number>();
    list.forEach((value, at) => {
      const key = itemKey(value, mergeKey);
      if (!positions.has(key)) positions.set(key, at);
    });
    return (value) => positions.get(itemKey(value, mergeKey)) ?? -1;
  };
  const inOrder = positionIn(order);
  const inOriginal = positionIn(original);
  const named = merged.filter((value) => inOrder(value) >= 0).toSorted((a, b) => inOrder(a) - inOrder(b));
  const others = merged.filter((value) => inOrder(value) < 0);
  const result: unknown[] = [];
  let taken = 0;
  for (const other of others) {
    const place = inOriginal(other);
    for (; taken < named.length; taken += 1) {
      const before = inOriginal(named[taken]);
      if (before >= 0 && place >= 0 && before > place) break;
      result.push(named[taken]);
    }
    result.push(other);
  }
  return [...result, ...named.slice(taken)];
}

/** Returns the identity of a list item: the value of the merge key, or the item itself. */
function itemKey(value: unknown, mergeKey: string | undefined): unknown {
  return valueKey(mergeKey !== undefined && isJsonObject(value) ? getField(value, mergeKey) : value);
}

/** Reorders the lists that have a `$setElementOrder` directive and no other change. */
function reorderUnpatched(
  merged: Record<string, unknown>,
  patch: JsonRecord,
  schema: StructuralSchema | undefined,
): void {
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(elementOrder)) continue;
    const field = key.slice(elementOrder.length);
    const order = orderOf(patch, field);
    const current = getField(merged, field);
    if (getField(patch, field) !== undefined || order === undefined || !Array.isArray(current)) continue;
    const mergeKey = mergeKeyOf(fieldSchema(schema, field));
    setField(merged, field, ordered(current, order, { original: current, mergeKey }));
  }
}

function deleteValues(merged: Record<string, unknown>, field: string, values: unknown): void {
  const current = getField(merged, field);
  if (!Array.isArray(values) || !Array.isArray(current)) return;
  const deleted = new Set(values.map(valueKey));
  setField(
    merged,
    field,
    current.filter((value) => !deleted.has(valueKey(value))),
  );
}

function retained(original: JsonRecord, patch: JsonRecord): Record<string, unknown> {
  const keys = getField(patch, retainKeys);
  if (keys === undefined) return { ...original };
  const names = new Set<unknown>(Array.isArray(keys) ? keys : []);
  const isNamed = (key: string): boolean => key.startsWith('$') || names.has(key);
  if (!Array.isArray(keys) || !Object.keys(patch).every(isNamed)) {
    throw new PatchError('malformed', 'invalid patch format of retainKeys');
  }
  return Object.fromEntries(Object.entries(original).filter(([key]) => names.has(key)));
}

/**
 * Returns the value of a patch for a field that has no value of the same type: without nulls, and without maps that have a `$patch`
 * directive. Returns undefined if the value itself has a `$patch` directive.
 */
function* taken(value: unknown, breaks: Breaks): Steps<unknown> {
  return isMeant(value) ? undefined : yield* cleaned(value, { breaks, isNew: true });
}

/** Whether a value is a map with a `$patch` directive. */
function isMeant(value: unknown): boolean {
  return isJsonObject(value) && getField(value, directive) !== undefined;
}

function setOrDelete(merged: Record<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) delete merged[key];
  else setField(merged, key, value);
}

/** Returns the value without patch directives. */
function withoutDirectives(value: unknown, breaks: Breaks): Steps<unknown> {
  return cleaned(value, { breaks, isNew: false });
}

/** Returns a copy of a value without directives. If the value is new, the copy also omits nulls in maps, and maps with a `$patch`. */
function* cleaned(value: unknown, rules: { readonly breaks: Breaks; readonly isNew: boolean }): Steps<unknown> {
  const { breaks, isNew } = rules;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      if (breaks.isDue()) yield;
      if (isNew && isMeant(item)) continue;
      items.push(typeof item === 'object' ? yield* cleaned(item, rules) : item);
    }
    return items;
  }
  if (!isJsonObject(value)) return value;
  const fields: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) {
    if (breaks.isDue()) yield;
    if (isDirective(key) || (isNew && ((child ?? undefined) === undefined || isMeant(child)))) continue;
    setField(fields, key, typeof child === 'object' ? yield* cleaned(child, rules) : child);
  }
  return fields;
}

function isDirective(key: string): boolean {
  return key === directive || key === retainKeys || key.startsWith(deleteFrom) || key.startsWith(elementOrder);
}

function without(record: JsonRecord, key: string): JsonRecord {
  const { [key]: _removed, ...rest } = record;
  return rest;
}

function fieldSchema(schema: StructuralSchema | undefined, key: string): StructuralSchema | undefined {
  const own = resolved(schema);
  const declared = own?.properties?.[key];
  if (declared !== undefined) return declared;
  return typeof own?.additionalProperties === 'object' ? own.additionalProperties : undefined;
}

/** Returns the effective schema: a schema that only wraps another schema in `allOf` is replaced by that schema. */
function resolved(schema: StructuralSchema | undefined): StructuralSchema | undefined {
  if (schema?.properties === undefined && schema?.items === undefined && schema?.allOf?.length === 1) {
    return resolved(schema.allOf[0]);
  }
  return schema;
}

function strategiesOf(schema: StructuralSchema | undefined): readonly string[] {
  return (schema?.['x-kubernetes-patch-strategy'] ?? '').split(',');
}

function mergeKeyOf(schema: StructuralSchema | undefined): string | undefined {
  return schema?.['x-kubernetes-patch-merge-key'];
}

/** Returns the element order that a patch sets for a field, or undefined. */
function orderOf(patch: JsonRecord, field: string): readonly unknown[] | undefined {
  const order = getField(patch, elementOrder + field);
  if (order === undefined || Array.isArray(order)) return order;
  throw new PatchError(
    'failed',
    `expected a []interface {}, but received a ${order === null ? '%!s(<nil>)' : goTypeName(order)}`,
  );
}

/** Validates that `$setElementOrder` contains the patched items that are not deleted, in the same sequence as the patch list. */
function checkOrder(patch: readonly unknown[], order: readonly unknown[], mergeKey: string | undefined): void {
  const kept = patch.filter((value) => !isJsonObject(value) || getField(value, directive) === undefined);
  let at = 0;
  for (const value of order) {
    if (at < kept.length && itemKey(value, mergeKey) === itemKey(kept[at], mergeKey)) at += 1;
  }
  if (at === kept.length) return;
  const message = `The order in patch list:\n${goText(kept)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`;
  throw new PatchError('failed', message);
}
