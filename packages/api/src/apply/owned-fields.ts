import { isRecord } from '../patch/is-record.js';
import { DEDUCED, deduce, type Atom, type ListAtom, type MapAtom } from './atom.js';
import { FieldSet } from './field-set.js';
import { itemElements } from './list-elements.js';
import { fieldElement, type Path } from './path-element.js';

/** The fields that a manager owns by applying this object: leaves, list items, and keys of maps. */
export function ownedFields(object: unknown, atom: Atom): FieldSet {
  const paths: Path[] = [];
  collect(object, atom, { path: [], paths });
  return FieldSet.of(paths);
}

/** The set with each named field that has members below made a member too; keys of maps and list items are not. */
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
  readonly path: Path;
  readonly paths: Path[];
}

function collect(value: unknown, atom: Atom, at: Collecting): void {
  const part = deduce(atom, value);
  if (part.map !== undefined) collectMap(value, part.map, at);
  else if (part.scalar === undefined && part.list !== undefined) collectList(value, part.list, at);
  else at.paths.push(at.path);
}

function collectMap(value: unknown, map: MapAtom, { path, paths }: Collecting): void {
  if (map.atomic) {
    paths.push(path);
    return;
  }
  if (!isRecord(value)) return;
  for (const [key, field] of Object.entries(value)) {
    if (field === undefined) continue;
    const below = [...path, fieldElement(key)];
    collect(field, (map.field(key) ?? (() => DEDUCED))(), { path: below, paths });
    const empty = field === null || (isRecord(field) && Object.keys(field).length === 0);
    if (empty || !map.declares(key)) paths.push(below);
  }
}

function collectList(value: unknown, list: ListAtom, { path, paths }: Collecting): void {
  if (list.atomic) {
    paths.push(path);
    return;
  }
  if (!Array.isArray(value)) return;
  const elements = itemElements(list, value);
  const counts = new Map<string, number>();
  for (const { id } of elements) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const [at, element] of elements.entries()) {
    const below = [...path, element];
    paths.push(below);
    if (counts.get(element.id) === 1) collect(value[at], list.items(), { path: below, paths });
  }
}
