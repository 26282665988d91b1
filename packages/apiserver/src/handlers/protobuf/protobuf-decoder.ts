import { parseJson } from '@kubewright/api/json';
import { type GoType, type GoTypes, schemaProps } from '../../registry/decoding/go-types.js';
import { emptyObject, isObject, type JsonDraft } from '../../registry/json-object.js';
import { MalformedMessageError, packedVarints, type WireField, wireFields } from './wire-reader.js';

type WireValue = WireField['value'];

const schemaList: GoType = { kind: 'list', name: '[]v1.JSONSchemaProps', of: schemaProps };
const text: GoType = { kind: 'string', name: 'string' };
const bool: GoType = { kind: 'bool', name: 'bool' };
const textList: GoType = { kind: 'list', name: '[]string', of: text };

/**
 * Reads protobuf messages of built-in kinds as the JSON that the same client would have sent: what a struct of the server's
 * own program leaves out when it is empty is left out. Throws a MalformedMessageError.
 */
export class ProtobufDecoder {
  readonly #types: GoTypes;

  constructor(types: GoTypes) {
    this.#types = types;
  }

  /** The fields of a struct, such as `apps/v1.Deployment`. */
  struct(bytes: Uint8Array, key: string): JsonDraft {
    const object: JsonDraft = {};
    this.#fill(object, bytes, { key, message: key });
    return object;
  }

  /** Fills an object of one type from a message, which may be that of a struct embedded in it. */
  #fill(
    object: JsonDraft,
    bytes: Uint8Array,
    { key, message }: { readonly key: string; readonly message: string },
  ): void {
    const known = this.#types.members(message);
    const types = this.#types.fields(key);
    for (const { number, value } of wireFields(bytes, message.slice(message.indexOf('.') + 1))) {
      const field = known.get(number);
      if (field === undefined) continue;
      if (field.embeds !== undefined) {
        this.#fill(object, asBytes(value), { key, message: field.embeds });
        continue;
      }
      const declared = types.get(field.name);
      if (declared === undefined) continue;
      this.#set(object, field.name, { type: declared.type, value });
      if (declared.omitsEmpty && isEmpty(object[field.name])) delete object[field.name];
    }
  }

  /** Sets a field, or adds to it: the elements of lists and maps come one by one. */
  #set(object: JsonDraft, name: string, { type, value }: { readonly type: GoType; readonly value: WireValue }): void {
    const before = object[name];
    if (type.kind === 'list') {
      const list: unknown[] = Array.isArray(before) ? before : [];
      for (const element of this.#elements(value, type.of)) list.push(element);
      object[name] = list;
    } else if (type.kind === 'map') {
      const map = isObject(before) ? before : emptyObject();
      this.#entry(map, value, type.of);
      object[name] = map;
    } else object[name] = this.#value(value, type);
  }

  #elements(value: WireValue, type: GoType): unknown[] {
    const packed = value instanceof Uint8Array && (type.kind === 'int' || type.kind === 'bool');
    return packed ? [...packedVarints(value)].map((each) => this.#value(each, type)) : [this.#value(value, type)];
  }

  #entry(map: JsonDraft, value: WireValue, type: GoType): void {
    const fields = new Map([...wireFields(asBytes(value))].map((field) => [field.number, field.value]));
    const name = this.#value(fields.get(1) ?? new Uint8Array(), text) as string;
    const found = fields.get(2) ?? (type.kind === 'int' || type.kind === 'bool' ? 0n : new Uint8Array());
    map[name] = this.#value(found, type);
  }

  #value(value: WireValue, type: GoType): unknown {
    switch (type.kind) {
      case 'string':
        return new TextDecoder().decode(asBytes(value));
      case 'bytes':
        return Buffer.from(asBytes(value)).toString('base64');
      case 'bool':
        return asInteger(value) !== 0n;
      case 'int':
        return exact(BigInt.asIntN(64, asInteger(value)));
      case 'float':
        return Buffer.from(asBytes(value)).readDoubleLE();
      case 'struct':
        return this.struct(asBytes(value), type.key);
      case 'list':
        return this.#wrapped(asBytes(value), type.of);
      case 'map':
      case 'any':
        throw new MalformedMessageError(`proto: a field of the type ${type.name} cannot be read`);
      case 'read':
        return this.#own(asBytes(value), type.name);
    }
  }

  /** A list in a place where there is one message: a map's value, for one. */
  #wrapped(bytes: Uint8Array, type: GoType): unknown[] {
    return [...wireFields(bytes)].flatMap(({ value }) => this.#elements(value, type));
  }

  /** Types that are read by rules of their own. */
  #own(bytes: Uint8Array, name: string): unknown {
    switch (name) {
      case 'v1.Time':
        return time(this.#parts(bytes, { 1: integer('seconds'), 2: integer('nanos') }), 0);
      case 'v1.MicroTime':
        return time(this.#parts(bytes, { 1: integer('seconds'), 2: integer('nanos') }), 6);
      case 'resource.Quantity':
        return this.#parts(bytes, { 1: ['string', text] })['string'] ?? '0';
      case 'intstr.IntOrString': {
        const parts = this.#parts(bytes, { 1: integer('type'), 2: integer('intVal'), 3: ['strVal', text] });
        return parts['type'] === 1 ? (parts['strVal'] ?? '') : (parts['intVal'] ?? 0);
      }
      case 'v1.JSONSchemaPropsOrArray': {
        const parts = this.#parts(bytes, { 1: ['schema', schemaProps], 2: ['schemas', schemaList] });
        return parts['schemas'] ?? parts['schema'];
      }
      case 'v1.JSONSchemaPropsOrBool': {
        const parts = this.#parts(bytes, { 1: ['allows', bool], 2: ['schema', schemaProps] });
        return parts['schema'] ?? parts['allows'] ?? false;
      }
      case 'v1.JSONSchemaPropsOrStringArray': {
        const parts = this.#parts(bytes, { 1: ['schema', schemaProps], 2: ['property', textList] });
        return parts['property'] ?? parts['schema'];
      }
      default:
        // What is JSON in any message: v1.JSON, v1.FieldsV1, runtime.RawExtension.
        return json(this.#parts(bytes, { 1: ['raw', text] })['raw']);
    }
  }

  #parts(bytes: Uint8Array, fields: Readonly<Record<number, readonly [string, GoType]>>): JsonDraft {
    const parts: JsonDraft = {};
    for (const { number, value } of wireFields(bytes)) {
      const [name, type] = fields[number] ?? [];
      if (name !== undefined && type !== undefined) this.#set(parts, name, { type, value });
    }
    return parts;
  }
}

function integer(name: string): readonly [string, GoType] {
  return [name, { kind: 'int', name: 'int64' }];
}

function asBytes(value: WireValue): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new MalformedMessageError('proto: wrong wireType = 0');
}

function asInteger(value: WireValue): bigint {
  if (typeof value === 'bigint') return value;
  throw new MalformedMessageError('proto: wrong wireType = 2');
}

function exact(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** A time with so many digits of its second; nothing at all is no time. */
function time({ seconds, nanos }: JsonDraft, digits: number): string | null {
  if (seconds === undefined && nanos === undefined) return null;
  const whole = new Date(Number(seconds ?? 0) * 1000).toISOString().slice(0, 19);
  const fraction = String(Number(nanos ?? 0))
    .padStart(9, '0')
    .slice(0, digits);
  return `${whole}${digits === 0 ? '' : `.${fraction}`}Z`;
}

function json(raw: unknown): unknown {
  if (typeof raw !== 'string' || raw === '') return null;
  try {
    return parseJson(raw);
  } catch (error) {
    throw new MalformedMessageError((error as Error).message);
  }
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === 0 || value === false;
}
