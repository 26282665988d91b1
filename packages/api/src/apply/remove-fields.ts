import { isJsonObject, setField } from '../json/json-object.js';
import { DEDUCED, deduce, type Atom, type ListAtom, type MapAtom } from './atom.js';
import type { FieldSet } from './field-set.js';
import { itemElements } from './list-elements.js';
import { fieldElement } from './path-element.js';

/**
 * The value without the fields of `set`. Of a map or list that is no member itself null is left where nothing else is: kinds
 * that are declared in Go take it for unset, and a custom one is refused for it unless its schema allows null.
 */
export function removeFields(value: unknown, set: FieldSet, atom: Atom): unknown {
  if (set.isEmpty) return value;
  const part = deduce(atom, value);
  if (part.map !== undefined) return isJsonObject(value) ? removeFromMap(value, set, part.map) : null;
  if (part.scalar === undefined && part.list !== undefined) {
    return Array.isArray(value) ? removeFromList(value, set, part.list) : null;
  }
  return value;
}

function removeFromMap(value: Readonly<Record<string, unknown>>, set: FieldSet, map: MapAtom): unknown {
  if (map.atomic) return null;
  const result: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    const element = fieldElement(key);
    if (set.members.has(element.id)) continue;
    setField(result, key, removeFields(field, set.below(element), (map.field(key) ?? (() => DEDUCED))()));
  }
  return Object.keys(result).length > 0 ? result : null;
}

function removeFromList(items: readonly unknown[], set: FieldSet, list: ListAtom): unknown {
  if (list.atomic) return null;
  const elements = itemElements(list, items);
  const result: unknown[] = [];
  for (const [at, element] of elements.entries()) {
    if (set.members.has(element.id)) continue;
    result.push(removeFields(items[at], set.below(element), list.items()));
  }
  return result.length > 0 ? result : null;
}
