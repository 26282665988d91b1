import { stringifyJson } from '../json/stringify-json.js';
import { isJsonObject } from '../json/json-object.js';
import { goText, goTypeName } from '../patch/go-value-text.js';
import { deduce, type Atom, type ListAtom, type MapAtom, type ScalarKind } from './atom.js';
import { itemElement } from './list-elements.js';
import { elementText, fieldElement, parsePathElement, type PathElement, pathText } from './path-element.js';
import { FieldTypeError } from './type-error.js';

/** A value that its type does not allow. */
export interface ValueError {
  readonly path: string;
  readonly detail: string;
  /** Whether the value is a list item with the same key as an earlier item. */
  readonly isDuplicate?: boolean;
}

/** Returns the error as a string. */
export function valueErrorText({ path, detail }: ValueError): string {
  return path === '' ? detail : `${path}: ${detail}`;
}

/**
 * Finds the errors in an applied object: fields that the schema does not declare, values of the wrong type, and duplicate list items. After
 * an undeclared field, skips the other fields of the same map. After an item without a key, skips the other items of the same list. The
 * generator is lazy: it searches for the next error when the caller requests the error.
 */
export function* valueErrors(value: unknown, atom: Atom): Generator<ValueError, void> {
  yield* new ValueWalk().errors(value, atom);
}

class ValueWalk {
  /** The path of the current value. */
  readonly #path: PathElement[] = [];

  *errors(value: unknown, atom: Atom): Generator<ValueError, void> {
    const part = deduce(atom, value);
    if (value === null || value === undefined) return;
    if (part.map !== undefined) yield* this.#mapErrors(value, part.map);
    else if (part.scalar !== undefined) {
      const why = scalarFault(value, part.scalar);
      if (why !== undefined) yield this.#here(why);
    } else if (part.list !== undefined) yield* this.#listErrors(value, part.list);
  }

  *#mapErrors(value: unknown, map: MapAtom): Generator<ValueError, void> {
    if (!isJsonObject(value)) {
      yield this.#here(`expected map, got ${held(value)}`);
      return;
    }
    for (const [key, field] of Object.entries(value)) {
      const type = map.field(key);
      this.#path.push(fieldElement(key));
      if (type === undefined) yield this.#here('field not declared in schema');
      else yield* this.#below(field, type());
      this.#path.pop();
      if (type === undefined) return;
    }
  }

  *#listErrors(value: unknown, list: ListAtom): Generator<ValueError, void> {
    if (!Array.isArray(value)) {
      yield this.#here(`expected list, got ${held(value)}`);
      return;
    }
    const seen = new Set<string>();
    for (const [at, item] of value.entries()) {
      const element = elementOf(list, item, at);
      if (element instanceof FieldTypeError) {
        yield this.#here(`element ${at}: ${element.detail}`);
        return;
      }
      if (seen.has(element.id)) {
        yield { ...this.#here(`duplicate entries for key ${elementText(element)}`), isDuplicate: true };
      }
      seen.add(element.id);
      this.#path.push(element);
      yield* this.#below(item, list.items());
      this.#path.pop();
    }
  }

  // Most values are valid scalars, and a generator for each of them would dominate the time of the walk.
  #below(value: unknown, atom: Atom): Iterable<ValueError> {
    if (typeof value === 'object' && value !== null) return this.errors(value, atom);
    const { map, scalar } = deduce(atom, value);
    const fits = map === undefined && scalar !== undefined && scalarFault(value, scalar) === undefined;
    return fits || value === null ? [] : this.errors(value, atom);
  }

  #here(detail: string): ValueError {
    return { path: pathText(this.#path), detail };
  }
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

function scalarFault(value: unknown, kind: ScalarKind): string | undefined {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  if (kind === 'numeric' && !isNumber) return `expected numeric (int or float), got ${goTypeName(value)}`;
  if (kind === 'string' && typeof value !== 'string') return `expected string, got ${shown(value)}`;
  if (kind === 'boolean' && typeof value !== 'boolean') return `expected boolean, got ${held(value)}`;
  return kind === 'untyped' && typeof value === 'object' ? `expected any scalar, got ${held(value)}` : undefined;
}

/** Formats a value as Go prints it. */
function held(value: unknown): string {
  return `&{${goText(value)}}`;
}

/** Formats a value as Go code. */
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
