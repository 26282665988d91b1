import { isJsonObject } from '../json/json-object.js';
import { append } from '../objects/append.js';
import { stringifyJson } from '../json/stringify-json.js';
import { deepEqual } from './deep-equal.js';
import type { JsonPatchOperation } from './json-patch-operation.js';

/**
 * Returns a small JSON patch that turns `before` into `after`. The patch is empty if both values are equal. A property with the value
 * undefined counts as absent. Items that are added or removed within a list do not replace the whole list.
 *
 * @example
 * jsonPatchBetween({ spec: { replicas: 1 } }, { spec: { replicas: 2 } }); // [{ op: 'replace', path: '/spec/replicas', value: 2 }]
 */
export function jsonPatchBetween(before: unknown, after: unknown): readonly JsonPatchOperation[] {
  return between(before, after, '');
}

function between(before: unknown, after: unknown, path: string): readonly JsonPatchOperation[] {
  if (deepEqual(before, after)) return [];
  const whole: JsonPatchOperation = { op: 'replace', path, value: after };
  const parts = partsOf(before, after, path);
  if (parts === undefined) return [whole];
  // Replacing a value can be shorter than all changes within the value. Not all servers can replace the whole document.
  return path !== '' && parts.length > 1 && sizeOf(parts) > sizeOf([whole]) ? [whole] : parts;
}
function partsOf(before: unknown, after: unknown, path: string): readonly JsonPatchOperation[] | undefined {
  if (Array.isArray(before) && Array.isArray(after)) return ofLists(before, after, path);
  if (isJsonObject(before) && isJsonObject(after)) return ofObjects(before, after, path);
  return undefined;
}

function ofObjects(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  path: string,
): readonly JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  for (const key of Object.keys(before)) {
    if (before[key] === undefined) continue;
    const at = `${path}/${escaped(key)}`;
    if (!has(after, key)) operations.push({ op: 'remove', path: at });
    else append(operations, between(before[key], after[key], at));
  }
  for (const key of Object.keys(after)) {
    if (has(after, key) && !has(before, key)) {
      operations.push({ op: 'add', path: `${path}/${escaped(key)}`, value: after[key] });
    }
  }
  return operations;
}

/** Keeps the equal items at the start and at the end, changes the items in between, and then adds or removes items. */
function ofLists(before: readonly unknown[], after: readonly unknown[], path: string): readonly JsonPatchOperation[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && deepEqual(before[start], after[start])) start++;
  let end = 0;
  while (end < shorter - start && deepEqual(before.at(-1 - end), after.at(-1 - end))) end++;
  const [removed, added] = [before.length - end, after.length - end];
  const operations: JsonPatchOperation[] = [];
  const changed = Math.min(removed, added);
  for (let at = start; at < changed; at++) append(operations, between(before[at], after[at], `${path}/${at}`));
  // Items are removed from the last one to the first one, so that the indexes of the others do not change.
  for (let at = removed - 1; at >= changed; at--) operations.push({ op: 'remove', path: `${path}/${at}` });
  for (let at = changed; at < added; at++) operations.push({ op: 'add', path: `${path}/${at}`, value: after[at] });
  return operations;
}

function has(object: Readonly<Record<string, unknown>>, key: string): boolean {
  return Object.hasOwn(object, key) && object[key] !== undefined;
}
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
function sizeOf(operations: readonly JsonPatchOperation[]): number {
  return stringifyJson(operations).length;
}
