import type { GoType, GoTypes } from './go-types.js';
import type { JsonDraft, JsonObject } from '../objects/api-object.js';
import { copyJson, hasNoFields, isObject } from '../objects/json-object.js';

/** Converts built-in objects to the form in which kube-apiserver writes them. */
export class GoShapes {
  readonly #types: GoTypes;
  /** The fields that kube-apiserver writes even if they are unset, with the written values, by struct. */
  readonly #zeros = new Map<string, readonly (readonly [string, unknown])[]>();

  constructor(types: GoTypes) {
    this.#types = types;
  }

  /**
   * Returns an object of the given kind. The object contains only the fields that kube-apiserver always writes. Returns undefined for a
   * kind without declared types.
   */
  zero(apiVersion: string, kind: string): JsonObject | undefined {
    const type = this.#types.kind(apiVersion, kind);
    if (type === undefined) return undefined;
    const empty: JsonDraft = {};
    this.#value(empty, type, true);
    return empty;
  }

  /** Removes the empty fields that kube-apiserver does not write, and adds the structs that kube-apiserver always writes, in place. */
  trim(object: JsonDraft, apiVersion: string, kind: string): void {
    const type = this.#types.kind(apiVersion, kind);
    if (type !== undefined) this.#value(object, type, false);
  }

  /** Changes the object like `trim`, and also adds the strings, numbers and nulls that kube-apiserver always writes. */
  complete(object: JsonDraft, apiVersion: string, kind: string): void {
    const type = this.#types.kind(apiVersion, kind);
    if (type !== undefined) this.#value(object, type, true);
  }

  /**
   * Sets empty lists and maps to null, in place. Does not change empty values that kube-apiserver omits. Protobuf, in which kube-apiserver
   * stores most built-in objects, does not distinguish empty lists and maps from unset lists and maps.
   */
  unsetEmpty(object: JsonDraft, apiVersion: string, kind: string): void {
    const type = this.#types.kind(apiVersion, kind);
    if (type === undefined) return;
    this.#empties(object, type, (struct, field) => {
      struct[field] = null;
    });
  }

  /** Whether `unsetEmpty` changes the object. */
  hasEmpty(object: JsonObject, apiVersion: string, kind: string): boolean {
    const type = this.#types.kind(apiVersion, kind);
    let found = false;
    if (type !== undefined) {
      this.#empties(object, type, () => {
        found = true;
      });
    }
    return found;
  }

  /**
   * Calls `found` with the struct and the name of each field that contains an empty list or map. Calls `found` only for fields that
   * kube-apiserver writes as null if they are unset.
   */
  #empties(value: unknown, type: GoType, found: (struct: JsonDraft, field: string) => void): void {
    if (type.kind === 'list' || type.kind === 'map') {
      if (!isComposed(type.of)) return;
      const items = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
      for (const item of items) this.#empties(item, type.of, found);
    }
    if (type.kind !== 'struct' || !isObject(value)) return;
    const fields = this.#types.fields(type.key);
    for (const [name, item] of Object.entries(value)) {
      const field = fields.get(name);
      if (field === undefined || !isComposed(field.type)) continue;
      const isPlural = field.type.kind !== 'struct';
      if (isPlural && field.zero === null && item !== null && isEmpty(item)) found(value, name);
      else this.#empties(item, field.type, found);
    }
  }

  #value(value: unknown, type: GoType, all: boolean): void {
    switch (type.kind) {
      case 'struct':
        if (isObject(value)) this.#struct(value, type.key, all);
        break;
      case 'list':
        if (Array.isArray(value) && isComposed(type.of)) for (const item of value) this.#value(item, type.of, all);
        break;
      case 'map':
        if (isObject(value) && isComposed(type.of)) {
          for (const item of Object.values(value)) this.#value(item, type.of, all);
        }
        break;
      default:
    }
  }

  #struct(object: JsonDraft, key: string, all: boolean): void {
    const fields = this.#types.fields(key);
    for (const [name, zero] of this.#zerosOf(key)) {
      if ((all || isObject(zero)) && (object[name] ?? undefined) === undefined) object[name] = copyJson(zero);
    }
    for (const name of Object.keys(object)) {
      const value = object[name];
      const field = fields.get(name);
      if (field === undefined) continue;
      if (field.omitsEmpty && isEmpty(value)) delete object[name];
      else this.#value(value, field.type, all);
    }
  }

  #zerosOf(key: string): readonly (readonly [string, unknown])[] {
    const known = this.#zeros.get(key);
    if (known !== undefined) return known;
    const zeros = [...this.#types.fields(key)].flatMap(([name, { zero }]) =>
      zero === undefined ? [] : [[name, zero] as const],
    );
    this.#zeros.set(key, zeros);
    return zeros;
  }
}

/** Whether values of the type are structs, lists or maps. */
function isComposed({ kind }: GoType): boolean {
  return kind === 'struct' || kind === 'list' || kind === 'map';
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return hasNoFields(value);
  return value === '' || value === 0 || value === false || value === null;
}
