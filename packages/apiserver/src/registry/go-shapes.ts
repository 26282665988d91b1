import { readGoShapes } from './cluster-data.js';
import type { GoType, GoTypes } from './go-types.js';
import { copyJson, isObject, type JsonDraft, type JsonObject } from './json-object.js';

/** What the server's own program leaves out of a struct's JSON when it is empty, and what it writes even then. */
interface StructShape {
  readonly omitted: ReadonlySet<string>;
  readonly zero: ReadonlyMap<string, unknown>;
}

const nothing: StructShape = { omitted: new Set(), zero: new Map() };

/** Brings built-in objects into the form in which the server's own program writes them. */
export class GoShapes {
  readonly #types: GoTypes;
  readonly #shapes = new Map<string, StructShape>();
  #declared: Readonly<Record<string, { readonly omit?: string; readonly zero?: JsonObject }>> | undefined;

  constructor(types: GoTypes) {
    this.#types = types;
  }

  /** What an object of the kind is before anything is set; undefined for a kind that the data does not have. */
  zero(apiVersion: string, kind: string): JsonObject | undefined {
    const type = this.#types.kind(apiVersion, kind);
    if (type === undefined) return undefined;
    const empty: JsonDraft = {};
    this.#value(empty, type, true);
    return empty;
  }

  /** Drops what is empty and not written then, and adds the structs that are there even when nothing is set; in place. */
  trim(object: JsonDraft, apiVersion: string, kind: string): void {
    const type = this.#types.kind(apiVersion, kind);
    if (type !== undefined) this.#value(object, type, false);
  }

  /** The same, with texts, numbers and nulls that are written even when nothing is set. */
  complete(object: JsonDraft, apiVersion: string, kind: string): void {
    const type = this.#types.kind(apiVersion, kind);
    if (type !== undefined) this.#value(object, type, true);
  }

  #value(value: unknown, type: GoType, all: boolean): void {
    switch (type.kind) {
      case 'struct':
        if (isObject(value)) this.#struct(value, type.key, all);
        break;
      case 'list':
        if (Array.isArray(value)) for (const item of value) this.#value(item, type.of, all);
        break;
      case 'map':
        if (isObject(value)) for (const item of Object.values(value)) this.#value(item, type.of, all);
        break;
      default:
    }
  }

  #struct(object: JsonDraft, key: string, all: boolean): void {
    const { omitted, zero } = this.#shape(key);
    const fields = this.#types.fields(key);
    for (const [name, empty] of zero) {
      if ((all || isObject(empty)) && (object[name] ?? undefined) === undefined) object[name] = copyJson(empty);
    }
    for (const name of Object.keys(object)) {
      const value = object[name];
      const type = fields.get(name)?.type;
      if (omitted.has(name) && isEmpty(value)) delete object[name];
      else if (type !== undefined) this.#value(value, type, all);
    }
  }

  #shape(key: string): StructShape {
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    this.#declared ??= readGoShapes();
    const declared = this.#declared[key];
    const shape =
      declared === undefined
        ? nothing
        : { omitted: new Set(declared.omit?.split(' ')), zero: new Map(Object.entries(declared.zero ?? {})) };
    this.#shapes.set(key, shape);
    return shape;
  }
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false || value === null;
}
