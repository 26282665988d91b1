import { isJsonObject } from '../json/json-object.js';
import { DEDUCED, deduce, type Atom, type ListAtom, type MapAtom } from './atom.js';
import { FieldSet, FieldSetBuilder } from './field-set.js';
import { itemElements } from './list-elements.js';
import { fieldElement, type PathElement } from './path-element.js';

/** Returns the fields that a manager owns by applying an object: leaves, list items and keys of maps. */
export function ownedFields(object: unknown, atom: Atom): FieldSet {
  const fields = new FieldSetBuilder();
  collect(object, atom, { path: [], fields });
  return fields.build();
}

/**
 * Returns a copy of the set in which each declared field that has members below it is also a member. Does not add keys of maps or list
 * items.
 */
export function withNamedFields(set: FieldSet, atom: Atom | undefined): FieldSet {
  const members = new Map(set.members);
  const children = new Map(set.children);
  for (const [id, { element, set: fields }] of set.children) {
    if (element.field !== undefined && atom?.map?.declares(element.field)) members.set(id, element);
    const type = element.field === undefined ? element.keys && atom?.list?.items : atom?.map?.field(element.field);
    children.set(id, { element, set: withNamedFields(fields, type?.()) });
  }
  return new FieldSet(members, children);
}

interface Collecting {
  /** The path of the current value. */
  readonly path: PathElement[];
  readonly fields: FieldSetBuilder;
}

function collect(value: unknown, atom: Atom, at: Collecting): void {
  const part = deduce(atom, value);
  if (part.map !== undefined) collectMap(value, part.map, at);
  else if (part.scalar === undefined && part.list !== undefined) collectList(value, part.list, at);
  else at.fields.add(at.path);
}

function collectMap(value: unknown, map: MapAtom, at: Collecting): void {
  const { path, fields } = at;
  if (map.atomic) {
    fields.add(path);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [key, field] of Object.entries(value)) {
    if (field === undefined) continue;
    path.push(fieldElement(key));
    collect(field, map.field(key)?.() ?? DEDUCED, at);
    const empty = field === null || (isJsonObject(field) && Object.keys(field).length === 0);
    if (empty || !map.declares(key)) fields.add(path);
    path.pop();
  }
}

function collectList(value: unknown, list: ListAtom, place: Collecting): void {
  const { path, fields } = place;
  if (list.atomic) {
    fields.add(path);
    return;
  }
  if (!Array.isArray(value)) return;
  const elements = itemElements(list, value);
  const counts = new Map<string, number>();
  for (const { id } of elements) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const [at, element] of elements.entries()) {
    path.push(element);
    fields.add(path);
    if (counts.get(element.id) === 1) collect(value[at], list.items(), place);
    path.pop();
  }
}
