import { goJson } from './go-text.js';
import { isJsonMap, ownValue, sameJson } from './json-shape.js';
import type { StructuralSchema } from './structural-schema.js';

/**
 * A value of a changed object and its previous value. Errors in unchanged values do not prevent changes of other values. Children are
 * matched by field name, and by the keys of list items in lists of type map.
 */
export class Correlation {
  readonly value: unknown;
  readonly old: unknown;
  readonly schema: StructuralSchema;
  readonly #children = new Map<string | number, Correlation | undefined>();
  #oldItems: ReadonlyMap<string, unknown> | undefined;
  #unchanged: boolean | undefined;

  constructor(value: unknown, old: unknown, schema: StructuralSchema) {
    this.value = value;
    this.old = old;
    this.schema = schema;
  }

  /** Returns the correlation of a field, or undefined if the field did not exist before or the schema does not name it. */
  key(name: string): Correlation | undefined {
    if (!this.#children.has(name)) this.#children.set(name, this.#keyed(name));
    return this.#children.get(name);
  }

  /** Returns the correlation of a list item, or undefined if the previous item cannot be identified by keys. */
  index(index: number): Correlation | undefined {
    if (!this.#children.has(index)) this.#children.set(index, this.#indexed(index));
    return this.#children.get(index);
  }

  /**
   * Whether the value is equal to its previous value. Fields that the schema does not name count as changed, except within atomic lists and
   * sets.
   */
  get unchanged(): boolean {
    this.#unchanged ??= this.#compare();
    return this.#unchanged;
  }

  #keyed(name: string): Correlation | undefined {
    const { value, old, schema } = this;
    if (!isJsonMap(value) || !isJsonMap(old)) return undefined;
    if (!Object.hasOwn(value, name) || !Object.hasOwn(old, name)) return undefined;
    const property = ownValue(schema.properties, name) ?? schema.additionalProperties;
    return isJsonMap(property) ? new Correlation(value[name], old[name], property) : undefined;
  }

  #indexed(index: number): Correlation | undefined {
    const { value, old, schema } = this;
    const { items } = schema;
    if (!Array.isArray(value) || !Array.isArray(old) || items === undefined) return undefined;
    const previous = this.predecessor(value[index]);
    return previous === undefined || previous === null ? undefined : new Correlation(value[index], previous, items);
  }

  /**
   * Returns the old item with the same keys in a list of type map. Returns undefined if no old item has these keys, or if the list has
   * another type.
   */
  predecessor(item: unknown): unknown {
    if (this.schema['x-kubernetes-list-type'] !== 'map' || !isJsonMap(item)) return undefined;
    this.#oldItems ??= new Map((Array.isArray(this.old) ? this.old : []).map((old) => [this.#keyOf(old), old]));
    return this.#oldItems.get(this.#keyOf(item));
  }

  #keyOf(item: unknown): string {
    const keys = this.schema['x-kubernetes-list-map-keys'] ?? [];
    return isJsonMap(item) ? goJson(keys.map((key) => ownValue(item, key) ?? null)) : '';
  }

  #compare(): boolean {
    const { value, old } = this;
    if (value === null || old === null) return value === old;
    if (Array.isArray(value) && Array.isArray(old)) {
      if (value.length !== old.length) return false;
      if (this.schema['x-kubernetes-list-type'] !== 'map') return sameJson(value, old);
      return value.every((_, index) => this.index(index)?.unchanged === true);
    }
    if (!isJsonMap(value) || !isJsonMap(old)) return sameJson(value, old);
    const names = Object.keys(value);
    return names.length === Object.keys(old).length && names.every((name) => this.key(name)?.unchanged === true);
  }
}
