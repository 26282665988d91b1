import { ownValue, sameJson, type JsonMap, isJsonMap } from '../../schema/json-shape.js';
import type { StructuralSchema } from '../../schema/structural-schema.js';
import { CelError, NO_OVERLOAD } from './cel-error.js';
import { CelList, CelMap, type CelValue } from './cel-value.js';
import { escapeName } from '../syntax/escape-name.js';
import { listContains, listsEqual } from './list-value.js';
import { readScalar } from './scalar-values.js';
import { checkListSize } from './size-limits.js';
import { equal } from './value-order.js';
import { withObjectMeta } from './with-object-meta.js';

/** Converts JSON values to CEL values according to a schema. Nested values are converted on access. */
export class ValueReader {
  readonly schema: StructuralSchema;
  readonly #fields = new Map<string, ValueReader | undefined>();
  #escaped: ReadonlyMap<string, string> | undefined;

  /** @param root whether the value is a resource, which has apiVersion, kind and a name even if the schema does not declare these fields */
  constructor(schema: StructuralSchema, root = false) {
    const embedded = schema['x-kubernetes-embedded-resource'] === true;
    this.schema = root || embedded ? withObjectMeta(schema) : schema;
  }

  /** Whether the values are objects with fields instead of maps. */
  get isObject(): boolean {
    return this.schema.properties !== undefined && Object.keys(this.schema.properties).length > 0;
  }

  read(raw: unknown): CelValue {
    const { schema } = this;
    if (raw === null || raw === undefined) {
      return schema.nullable === true ? null : new CelError('invalid data, got null for schema with nullable=false');
    }
    if (schema['x-kubernetes-int-or-string'] !== true) {
      if (schema.type === 'object') {
        if (isJsonMap(raw)) return new ObjectValue(raw, this);
        return new CelError('invalid data, expected a map for the provided schema with type=object');
      }
      if (schema.type === 'array') return this.#list(raw);
    }
    return readScalar(raw, schema);
  }

  /** Returns the reader of a field or of the values of a map. Returns undefined for fields that the schema does not name. */
  field(name: string): ValueReader | undefined {
    if (this.#fields.has(name)) return this.#fields.get(name);
    const reader = this.#fieldReader(name);
    this.#fields.set(name, reader);
    return reader;
  }

  /**
   * Returns the name of the field that has the given name in expressions, or undefined if there is no such field. Returns the key of a map
   * unchanged.
   */
  unescape(key: string): string | undefined {
    if (!this.isObject) return key;
    this.#escaped ??= new Map(Object.keys(this.schema.properties ?? {}).map((name) => [escapeName(name) ?? '', name]));
    return this.#escaped.get(key) ?? (ownValue(this.schema.properties, key) === undefined ? undefined : key);
  }

  #fieldReader(name: string): ValueReader | undefined {
    const { properties, additionalProperties } = this.schema;
    const schema = this.isObject ? ownValue(properties, name) : additionalProperties;
    if (typeof schema !== 'object') return undefined;
    if (!this.isObject && name !== '*') return this.field('*');
    return new ValueReader(schema);
  }

  #list(raw: unknown): CelValue {
    if (!Array.isArray(raw)) {
      return new CelError('invalid data, expected an array for the provided schema with type=array');
    }
    const items = this.items();
    if (items === undefined) return new CelError('invalid array type, expected Items with a non-empty Schema');
    return new SchemaList(raw, items, this.schema);
  }

  /** Returns the reader of the elements of a list. */
  items(): ValueReader | undefined {
    const { items } = this.schema;
    if (items === undefined) return undefined;
    const known = this.#fields.get('[]');
    if (known !== undefined) return known;
    const reader = new ValueReader(items);
    this.#fields.set('[]', reader);
    return reader;
  }
}

/** An object or a map of a resource. */
class ObjectValue extends CelMap {
  readonly raw: JsonMap;
  readonly #reader: ValueReader;

  constructor(raw: JsonMap, reader: ValueReader) {
    super();
    this.raw = raw;
    this.#reader = reader;
  }

  get size(): number {
    return Object.keys(this.raw).length;
  }

  find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') return NO_OVERLOAD;
    const name = this.#reader.unescape(key);
    return name === undefined ? undefined : this.#get(name);
  }

  #get(name: string): CelValue | undefined {
    if (!Object.hasOwn(this.raw, name)) return undefined;
    const raw = this.raw[name];
    if (raw === undefined || (raw === null && this.#reader.isObject)) return undefined;
    return this.#reader.field(name)?.read(raw);
  }

  *keys(): Iterable<CelValue> {
    for (const name of Object.keys(this.raw)) {
      if (this.#reader.field(name) === undefined) continue;
      yield this.#reader.isObject ? (escapeName(name) ?? name) : name;
    }
  }

  equals(other: CelValue): CelValue {
    if (!(other instanceof CelMap)) return NO_OVERLOAD;
    if (this.size !== other.size) return false;
    for (const name of Object.keys(this.raw)) {
      const same = this.#fieldEquals(name, other);
      if (same !== true) return same;
    }
    return true;
  }

  #fieldEquals(name: string, other: CelMap): CelValue {
    if (this.#reader.field(name) === undefined) {
      if (!(other instanceof ObjectValue)) return NO_OVERLOAD;
      return !Object.hasOwn(other.raw, name) || sameJson(this.raw[name], other.raw[name]);
    }
    const own = this.find(name);
    const others = other.find(name);
    if (own === undefined || others === undefined) return own === others;
    return equal(own, others);
  }
}

/** A list of a resource. `x-kubernetes-list-type` determines how the list is compared and concatenated. */
class SchemaList extends CelList {
  override readonly onlyInts = true;
  readonly #raw: readonly unknown[];
  readonly #items: ValueReader;
  readonly #schema: StructuralSchema;

  constructor(raw: readonly unknown[], items: ValueReader, schema: StructuralSchema) {
    super();
    this.#raw = raw;
    this.#items = items;
    this.#schema = schema;
  }

  get size(): number {
    return this.#raw.length;
  }

  at(index: number): CelValue {
    return this.#items.read(this.#raw[index]);
  }

  contains(value: CelValue): CelValue {
    return listContains(this, value);
  }

  equals(other: CelValue): CelValue {
    return equalByListType(this, other, this.#schema);
  }

  concat(other: CelList): CelList {
    return concatByListType(this, other, this.#schema);
  }
}

/** The concatenation of two lists, with the list type of the first list. */
class JoinedList extends CelList {
  override readonly onlyInts = true;
  readonly #elements: readonly CelValue[];
  readonly #schema: StructuralSchema;

  constructor(elements: readonly CelValue[], schema: StructuralSchema) {
    super();
    this.#elements = elements;
    this.#schema = schema;
  }

  get size(): number {
    return this.#elements.length;
  }

  at(index: number): CelValue {
    return this.#elements[index] ?? null;
  }

  contains(value: CelValue): CelValue {
    return listContains(this, value);
  }

  equals(other: CelValue): CelValue {
    return equalByListType(this, other, this.#schema);
  }

  concat(other: CelList): CelList {
    return concatByListType(this, other, this.#schema);
  }
}

function equalByListType(list: CelList, other: CelValue, schema: StructuralSchema): CelValue {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return listsEqual(list, other);
  if (!(other instanceof CelList)) return NO_OVERLOAD;
  if (list.size !== other.size) return false;
  const own = new Map(Array.from(list, (element) => [identity(element, schema), element]));
  for (const element of other) {
    const match = own.get(identity(element, schema));
    if (match === undefined) return false;
    const same = equal(match, element);
    if (same !== true) return same;
  }
  return true;
}

function concatByListType(list: CelList, other: CelList, schema: StructuralSchema): CelList {
  checkListSize(list.size + other.size);
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return new JoinedList([...list, ...other], schema);
  const merged = new Map(Array.from(list, (element) => [identity(element, schema), element]));
  for (const element of other) {
    const key = identity(element, schema);
    if (type === 'map' || !merged.has(key)) merged.set(key, element);
  }
  return new JoinedList([...merged.values()], schema);
}

/** Returns the identity of an element of a list of type set or map. */
function identity(element: CelValue, schema: StructuralSchema): string {
  if (schema['x-kubernetes-list-type'] === 'set') return `${typeof element} ${String(element)}`;
  if (!(element instanceof CelMap)) return '';
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  return JSON.stringify(keys.map((key) => String(element.find(escapeName(key) ?? key))));
}
