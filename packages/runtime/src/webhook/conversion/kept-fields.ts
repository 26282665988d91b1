import { copyJson, isJsonObject, setField } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';

/** A step of a path: a property, an item of a list with unique names, or an item of another list by its index. */
type Step = string | { readonly name: string } | { readonly index: number };

/**
 * A value that another version cannot represent. `was` is the value that results from converting the object to the other version and back,
 * and `is` is the original value. A missing property means that the value is absent.
 */
export interface KeptField {
  readonly path: readonly Step[];
  readonly was?: unknown;
  readonly is?: unknown;
}

/** Returns the values of `is` that differ from `was`. The result is empty if both contents are equal. */
export function keptFields(was: unknown, is: unknown): readonly KeptField[] {
  return differences(was, is, []);
}

function differences(was: unknown, is: unknown, path: readonly Step[]): readonly KeptField[] {
  if (deepEqual(was, is)) return [];
  if (isJsonObject(was) && isJsonObject(is)) {
    return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((key) =>
      differences(own(was, key), own(is, key), [...path, key]),
    );
  }
  const items = Array.isArray(was) && Array.isArray(is) ? itemDifferences(was, is, path) : undefined;
  return items ?? [kept(path, was, is)];
}

/**
 * Returns the differences between corresponding items. Items correspond by name if both lists have the same unique names in the same order,
 * otherwise by index. Returns undefined if the lists have different lengths.
 */
function itemDifferences(
  was: readonly unknown[],
  is: readonly unknown[],
  path: readonly Step[],
): readonly KeptField[] | undefined {
  if (was.length !== is.length) return undefined;
  const [before, after] = [namesOf(was), namesOf(is)];
  if (before !== undefined && deepEqual(before, after)) {
    return before.flatMap((name, at) => differences(was[at], is[at], [...path, { name }]));
  }
  // Items without names are identified by their whole value, because a user can reorder them.
  return was.flatMap((item, index) =>
    deepEqual(item, is[index]) ? [] : [kept([...path, { index }], item, is[index])],
  );
}
function kept(path: readonly Step[], was: unknown, is: unknown): KeptField {
  return { path, ...(was !== undefined && { was }), ...(is !== undefined && { is }) };
}

/**
 * Restores kept values in the content of an object. A value is not restored if the current value is not `was`, because the object was then
 * changed in the other version. Returns a copy.
 */
export function restoreFields<T>(content: T, fields: readonly KeptField[]): T {
  const restored = { content: copyJson(content) as unknown };
  for (const { path, ...field } of fields) restore(restored, ['content', ...path], field);
  return restored.content as T;
}

function restore(container: unknown, path: readonly Step[], field: Omit<KeptField, 'path'>): void {
  const [step, ...rest] = path;
  if (step === undefined) return;
  const key = keyOf(container, step, field.was);
  if (key === undefined) return;
  const current = Array.isArray(container) ? container[Number(key)] : own(container as object, key);
  if (rest.length > 0) return restore(current, rest, field);
  if (!deepEqual(current ?? null, field.was ?? null) || (current === undefined) !== (field.was === undefined)) return;
  if (Array.isArray(container)) container[Number(key)] = field.is;
  else if (field.is === undefined) delete (container as Record<string, unknown>)[key];
  else setField(container as Record<string, unknown>, key, field.is);
}

/** Returns the property or the index of a step. Returns undefined if the container does not have the item. */
function keyOf(container: unknown, step: Step, was: unknown): string | undefined {
  if (typeof step === 'string') return isJsonObject(container) ? step : undefined;
  if (!Array.isArray(container)) return undefined;
  const at = 'name' in step ? (namesOf(container)?.indexOf(step.name) ?? -1) : indexOf(container, step.index, was);
  return at < 0 ? undefined : String(at);
}
function indexOf(items: readonly unknown[], index: number, was: unknown): number {
  return deepEqual(items[index], was) ? index : items.findIndex((item) => deepEqual(item, was));
}

/** Returns the names of the items. Returns undefined if an item is not an object with a name, or if two items have the same name. */
function namesOf(items: readonly unknown[]): readonly string[] | undefined {
  const names = items.map((item) => (isJsonObject(item) ? item['name'] : undefined));
  const isNamed = names.every((name) => typeof name === 'string') && new Set(names).size === names.length;
  return isNamed ? names : undefined;
}
function own(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Readonly<Record<string, unknown>>)[key] : undefined;
}
