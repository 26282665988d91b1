import { getField, isJsonObject, setField } from '../json/json-object.js';
import { DEDUCED, deduce, type Atom, type ListAtom, type MapAtom } from './atom.js';
import { itemElements } from './list-elements.js';
import { fieldElement, type PathElement } from './path-element.js';
import { below } from './type-error.js';

/**
 * Merges an applied value into the live value. Merges sets, lists of type map, and non-atomic maps item by item. Replaces all other values.
 * Throws `FieldTypeError`.
 */
export function mergeValues(live: unknown, applied: unknown, atom: Atom): unknown {
  const part = deduce(atom, applied === undefined ? live : applied);
  if (part.map !== undefined) return mergeMaps(live, applied, part.map);
  if (part.scalar === undefined && part.list !== undefined) return mergeLists(live, applied, part.list);
  return applied === undefined ? live : applied;
}

function mergeMaps(live: unknown, applied: unknown, map: MapAtom): unknown {
  if (live === undefined && isJsonObject(applied) && !map.atomic) return newMap(applied, map);
  const before = isJsonObject(live) ? live : {};
  const after = isJsonObject(applied) ? applied : {};
  const keys = Object.keys(before);
  for (const key of Object.keys(after)) if (!Object.hasOwn(before, key)) keys.push(key);
  if (map.atomic || keys.length === 0) return applied === undefined ? live : applied;
  const result: Record<string, unknown> = {};
  for (const key of keys) {
    const atom = map.field(key)?.() ?? DEDUCED;
    const value = below(fieldElement(key), () => mergeValues(getField(before, key), getField(after, key), atom));
    if (value !== undefined) setField(result, key, value);
  }
  return Object.keys(result).length > 0 ? result : undefined;
}

/** Merges an applied map if there is no live value. Returns the same map if no field changes. */
function newMap(applied: Readonly<Record<string, unknown>>, map: MapAtom): unknown {
  let result: Record<string, unknown> | undefined;
  for (const key of Object.keys(applied)) {
    const field = applied[key];
    if (typeof field !== 'object' && field !== undefined) continue;
    const atom = map.field(key)?.() ?? DEDUCED;
    const value = field === undefined ? undefined : below(fieldElement(key), () => mergeValues(undefined, field, atom));
    if (value === field && value !== undefined) continue;
    result ??= { ...applied };
    if (value === undefined) delete result[key];
    else setField(result, key, value);
  }
  return result === undefined || Object.keys(result).length > 0 ? (result ?? applied) : undefined;
}

function mergeLists(live: unknown, applied: unknown, list: ListAtom): unknown {
  const before: readonly unknown[] = Array.isArray(live) ? live : [];
  const after: readonly unknown[] = Array.isArray(applied) ? applied : [];
  if (list.atomic || (before.length === 0 && after.length === 0)) return applied === undefined ? live : applied;
  const beforeIds = itemElements(list, before);
  const afterIds = itemElements(list, after);
  const items = list.items();
  const unique = onlyOnce(before, beforeIds);
  const byId = new Map(afterIds.map((element, at) => [element.id, { element, item: after[at] }]));
  const merged = mergeOrder(beforeIds, afterIds).map((place) => {
    if (place.live !== undefined) return mergeValues(before[place.live], undefined, items);
    const own = byId.get(place.id);
    return own && below(own.element, () => mergeValues(unique.get(place.id), own.item, items));
  });
  return merged.filter((item) => item !== undefined);
}

/** Returns the live items by id. Excludes items with duplicate ids, because an applied item does not merge with duplicates. */
function onlyOnce(items: readonly unknown[], elements: readonly PathElement[]): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [at, { id }] of elements.entries()) found.set(id, found.has(id) ? undefined : items[at]);
  return found;
}

type Place = { readonly id: string; readonly live?: number };

/**
 * Returns the order of a merged list. Applied items keep the order of the applied list. A live item that is not applied stays after the
 * item that precedes it in the live list. A new item has its position in the applied list.
 */
function mergeOrder(live: readonly PathElement[], applied: readonly PathElement[]): readonly Place[] {
  const appliedIds = new Set(applied.map(({ id }) => id));
  const liveIds = new Set(live.map(({ id }) => id));
  const shared = applied.filter(({ id }) => liveIds.has(id)).map(({ id }) => id);
  const order: Place[] = [];
  const placed = new Set<string>();
  let left = 0;
  let right = 0;
  let next = 0;
  while (left < live.length || right < applied.length) {
    const mine = live[left]?.id;
    const theirs = applied[right]?.id;
    if (mine !== undefined && !appliedIds.has(mine)) {
      order.push({ id: mine, live: left++ });
      continue;
    }
    const awaited = shared[next];
    if (mine !== undefined && theirs !== undefined && mine !== theirs && awaited !== undefined && awaited !== mine) {
      left++;
      continue;
    }
    if (mine !== undefined && (mine === theirs || placed.has(mine))) left++;
    if (theirs === undefined) continue;
    order.push({ id: theirs });
    placed.add(theirs);
    right++;
    if (awaited === theirs) next++;
  }
  return order;
}
