import { CelError } from '../values/cel-error.js';
import { type CelType, structType } from '../values/cel-type.js';
import { CelList, CelMap, type CelValue, type OpaqueValue } from '../values/cel-value.js';
import { runtimeTypeName } from '../values/runtime-type.js';
import { equal } from '../values/value-order.js';

/** The name of the type of apply configurations. The types of their fields are `Object.field`, `Object.field.field`, and so on. */
export const OBJECT_TYPE = 'Object';

/** The fields of a constructed object. */
export type ConstructedFields = ReadonlyMap<string, CelValue>;

/** An object that an expression constructs with `Object{…}` or `Object.field{…}`. */
export class ConstructedObject implements OpaqueValue {
  readonly opaqueType: CelType;
  readonly fields: ConstructedFields;

  constructor(typeName: string, fields: ConstructedFields) {
    this.opaqueType = structType(typeName);
    this.fields = fields;
  }

  field(name: string): CelValue {
    return this.fields.get(name) ?? null;
  }

  hasField(name: string): CelValue {
    return this.fields.has(name);
  }

  equals(other: CelValue): CelValue {
    if (!(other instanceof ConstructedObject) || other.opaqueType.name !== this.opaqueType.name) return false;
    if (other.fields.size !== this.fields.size) return false;
    for (const [name, value] of this.fields) {
      const found = other.fields.get(name);
      if (found === undefined || equal(value, found) !== true) return false;
    }
    return true;
  }
}

/** Returns the Go type name of a value, for error messages. */
function goType(value: CelValue): string {
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return 'float64';
  if (typeof value === 'boolean') return 'bool';
  if (value === null) return 'structpb.NullValue';
  if (value instanceof CelList) return '[]interface {}';
  return value instanceof CelMap ? 'map[string]interface {}' : runtimeTypeName(value);
}

/** The type of the operations of a JSON patch. */
export const jsonPatchType = structType('JSONPatch');

const texts = ['op', 'path', 'from'] as const;

/** An operation of a JSON patch that an expression constructs with `JSONPatch{…}`. */
export class JsonPatchOperation implements OpaqueValue {
  readonly opaqueType = jsonPatchType;
  readonly op: string;
  readonly path: string;
  readonly from: string;
  /** The value to set. Undefined if the operation has no value. */
  readonly value: CelValue | undefined;

  /** Use `of`, which checks the types of the fields. */
  private constructor(fields: ReadonlyMap<string, string>, value: CelValue | undefined) {
    this.op = fields.get('op') ?? '';
    this.path = fields.get('path') ?? '';
    this.from = fields.get('from') ?? '';
    this.value = value;
  }

  /** Returns the operation with the given fields, or an error if a field has the wrong type. */
  static of(fields: ConstructedFields): CelValue {
    const given = new Map<string, string>();
    for (const name of texts) {
      const value = fields.get(name);
      if (typeof value === 'string') given.set(name, value);
      else if (value !== undefined)
        return new CelError(`unexpected type ${goType(value)} for JSONPatchType '${name}' field`);
    }
    return new JsonPatchOperation(given, fields.get('value'));
  }

  field(name: string): CelValue {
    if (name === 'value') return this.value ?? null;
    const text = texts.find((known) => known === name);
    return text === undefined ? new CelError(`unsupported indexer: ${name}`) : this[text];
  }

  hasField(name: string): CelValue {
    if (name === 'value') return this.value !== undefined;
    const text = texts.find((known) => known === name);
    return text === undefined ? new CelError(`unsupported field: ${name}`) : this[text] !== '';
  }

  equals(other: CelValue): CelValue {
    if (!(other instanceof JsonPatchOperation)) return false;
    if (texts.some((name) => this[name] !== other[name])) return false;
    if (this.value === undefined || other.value === undefined) return this.value === other.value;
    return equal(this.value, other.value);
  }
}

/**
 * Returns the errors of objects whose type does not match their position, in the wording of the API server. For example, an object within
 * the field `spec` of an `Object` must be an `Object.spec`. Lists and maps do not change the expected type.
 */
export function typeNameErrors(value: CelValue, expected: string): readonly string[] {
  if (value instanceof ConstructedObject) {
    const { name } = value.opaqueType;
    const own =
      name === expected
        ? []
        : [
            `unexpected type name ${JSON.stringify(name)}, expected ${JSON.stringify(expected)}, which matches field name path from root Object type`,
          ];
    const within = [...value.fields].flatMap(([field, inner]) => typeNameErrors(inner, `${expected}.${field}`));
    return [...own, ...within];
  }
  if (value instanceof CelList) return [...value].flatMap((element) => typeNameErrors(element, expected));
  if (!(value instanceof CelMap)) return [];
  return [...value.keys()].flatMap((key) => typeNameErrors(value.find(key) ?? null, expected));
}
