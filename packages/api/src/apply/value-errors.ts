import { stringifyJson } from '../json/stringify-json.js';
import { isJsonObject } from '../json/json-object.js';
import { goText, goTypeName } from '../patch/go-value-text.js';
import { deduce, type Atom, type ListAtom, type MapAtom, type ScalarKind } from './atom.js';
import { itemElement } from './list-elements.js';
import { elementText, fieldElement, parsePathElement, type PathElement } from './path-element.js';
import { FieldTypeError } from './type-error.js';

/**
 * What is wrong with an applied object: fields that its schema does not declare, scalars of another kind, and duplicate list
 * items. A field that is not declared ends the search in its map, an item without a key that in its list.
 */
export function valueErrors(value: unknown, atom: Atom): readonly FieldTypeError[] {
  const part = deduce(atom, value);
  if (value === null || value === undefined) return [];
  if (part.map !== undefined) return mapErrors(value, part.map);
  if (part.scalar !== undefined) return scalarErrors(value, part.scalar);
  return part.list === undefined ? [] : listErrors(value, part.list);
}

function mapErrors(value: unknown, map: MapAtom): readonly FieldTypeError[] {
  if (!isJsonObject(value)) return [new FieldTypeError(`expected map, got ${held(value)}`)];
  const errors: FieldTypeError[] = [];
  for (const [key, field] of Object.entries(value)) {
    const element = fieldElement(key);
    const type = map.field(key);
    if (type === undefined) {
      errors.push(new FieldTypeError('field not declared in schema', elementText(element)));
      break;
    }
    for (const error of below(element, valueErrors(field, type()))) errors.push(error);
  }
  return errors;
}

function listErrors(value: unknown, list: ListAtom): readonly FieldTypeError[] {
  if (!Array.isArray(value)) return [new FieldTypeError(`expected list, got ${held(value)}`)];
  const errors: FieldTypeError[] = [];
  const seen = new Set<string>();
  for (const [at, item] of value.entries()) {
    const element = elementOf(list, item, at);
    if (element instanceof FieldTypeError) {
      errors.push(new FieldTypeError(`element ${at}: ${element.detail}`));
      break;
    }
    if (seen.has(element.id)) errors.push(new FieldTypeError(`duplicate entries for key ${elementText(element)}`));
    seen.add(element.id);
    for (const error of below(element, valueErrors(item, list.items()))) errors.push(error);
  }
  return errors;
}

function elementOf(list: ListAtom, item: unknown, at: number): PathElement | FieldTypeError {
  if (list.atomic) return parsePathElement(`i:${at}`);
  try {
    return itemElement(list, item);
  } catch (error) {
    if (error instanceof FieldTypeError) return error;
    throw error;
  }
}

function below(element: PathElement, errors: readonly FieldTypeError[]): readonly FieldTypeError[] {
  return errors.map(({ detail, path }) => new FieldTypeError(detail, elementText(element) + path));
}

function scalarErrors(value: unknown, kind: ScalarKind): readonly FieldTypeError[] {
  const why = scalarFault(value, kind);
  return why === undefined ? [] : [new FieldTypeError(why)];
}

function scalarFault(value: unknown, kind: ScalarKind): string | undefined {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  if (kind === 'numeric' && !isNumber) return `expected numeric (int or float), got ${goTypeName(value)}`;
  if (kind === 'string' && typeof value !== 'string') return `expected string, got ${shown(value)}`;
  if (kind === 'boolean' && typeof value !== 'boolean') return `expected boolean, got ${held(value)}`;
  return kind === 'untyped' && typeof value === 'object' ? `expected any scalar, got ${held(value)}` : undefined;
}

/** What it holds, as the API server's program prints it. */
function held(value: unknown): string {
  return `&{${goText(value)}}`;
}

/** The same as Go code. */
function shown(value: unknown): string {
  return `&value.valueUnstructured{Value:${goCode(value)}}`;
}

function goCode(value: unknown): string {
  if (value === null) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(goCode).join(', ')}}`;
  if (!isJsonObject(value)) return stringifyJson(value);
  const fields = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${goCode(value[key])}`);
  return `map[string]interface {}{${fields.join(', ')}}`;
}
