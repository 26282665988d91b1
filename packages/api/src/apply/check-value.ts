import { isJsonObject } from '../json/json-object.js';
import { deduce, type Atom, type ListAtom, type MapAtom, type ScalarKind } from './atom.js';
import { itemElements } from './list-elements.js';
import { elementText, fieldElement, parsePathElement } from './path-element.js';
import { below, FieldTypeError } from './type-error.js';

/**
 * Checks that an applied object has only fields that its schema declares, scalars of the right kind, and no duplicate
 * list items. Throws `FieldTypeError` for the first that does not fit.
 */
export function checkValue(value: unknown, atom: Atom): void {
  const part = deduce(atom, value);
  if (value === null || value === undefined) return;
  if (part.map !== undefined) checkMap(value, part.map);
  else if (part.scalar !== undefined) checkScalar(value, part.scalar);
  else if (part.list !== undefined) checkList(value, part.list);
}

function checkMap(value: unknown, map: MapAtom): void {
  if (!isJsonObject(value)) throw new FieldTypeError(`expected map, got ${shown(value)}`);
  for (const [key, field] of Object.entries(value)) {
    const element = fieldElement(key);
    below(element, () => {
      const type = map.field(key);
      if (type === undefined) throw new FieldTypeError('field not declared in schema');
      checkValue(field, type());
    });
  }
}

function checkList(value: unknown, list: ListAtom): void {
  if (!Array.isArray(value)) throw new FieldTypeError(`expected list, got ${shown(value)}`);
  const elements = list.atomic ? value.map((_, at) => parsePathElement(`i:${at}`)) : itemElements(list, value);
  const seen = new Set<string>();
  for (const [at, element] of elements.entries()) {
    if (seen.has(element.id)) throw new FieldTypeError(`duplicate entries for key ${elementText(element)}`);
    seen.add(element.id);
    below(element, () => checkValue(value[at], list.items()));
  }
}

function checkScalar(value: unknown, kind: ScalarKind): void {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  if (kind === 'numeric' && !isNumber) {
    throw new FieldTypeError(`expected numeric (int or float), got ${goType(value)}`);
  }
  if (kind === 'string' && typeof value !== 'string') throw new FieldTypeError(`expected string, got ${shown(value)}`);
  if (kind === 'boolean' && typeof value !== 'boolean')
    throw new FieldTypeError(`expected boolean, got ${shown(value)}`);
  if (kind === 'untyped' && typeof value === 'object')
    throw new FieldTypeError(`expected any scalar, got ${shown(value)}`);
}

function goType(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  return typeof value === 'object' ? 'map[string]interface {}' : typeof value === 'boolean' ? 'bool' : 'string';
}

/** The API server prints the Go representation of what it holds. */
function shown(value: unknown): string {
  return `&value.valueUnstructured{Value:${typeof value === 'string' ? JSON.stringify(value) : String(value)}}`;
}
