import { Breaks, type Steps } from '@kubewright/api/apply';
import { parseJson } from '@kubewright/api/json';
import { type GoType, type GoTypes, schemaProps } from '../../registry/cluster-data/go-types.js';
import type { JsonDraft } from '../../registry/objects/api-object.js';
import { emptyObject, isObject } from '../../registry/objects/json-object.js';
import { mostValues, tooManyValues } from '../../storage/value-limit.js';
import { tooDeep } from '../../registry/objects/json-fault.js';
import { scanJson } from '../json/json-scan.js';
import { textOf } from '../json/read-json.js';
import { MalformedMessageError, packedVarints, type WireField, wireFields } from './wire-reader.js';

type WireValue = WireField['value'];
/** The types that protobuf encodes as messages. */
type MessageType = GoType & { readonly kind: 'struct' | 'list' | 'read' };

const schemaList: GoType = { kind: 'list', name: '[]v1.JSONSchemaProps', of: schemaProps };
const text: GoType = { kind: 'string', name: 'string' };
const bool: GoType = { kind: 'bool', name: 'bool' };
const nothing = new Uint8Array();
const textList: GoType = { kind: 'list', name: '[]string', of: text };

/** The maximum number of fields in a body. A value needs up to three fields, and Go clients send many empty fields. */
const mostFields = 4 * mostValues;
/** The maximum nesting of messages. Each level takes about 1 KB of the stack. */
const mostMessages = 500;

/**
 * Decodes protobuf messages of built-in kinds to the JSON that a Go client would send for the same object. Omits empty fields that the Go
 * struct omits. Decodes in steps. Throws a MalformedMessageError for an invalid message and for too many levels, and 413 for too many
 * fields or values.
 */
export class ProtobufDecoder {
  readonly #types: GoTypes;
  readonly #breaks = new Breaks();
  #fieldsLeft = mostFields;
  /** The number of further list items and map entries that the body can contain. */
  #itemsLeft = mostValues;
  #level = 0;

  constructor(types: GoTypes) {
    this.#types = types;
  }

  /** Decodes the fields of a struct, such as `apps/v1.Deployment`. */
  *struct(bytes: Uint8Array, key: string): Steps<JsonDraft> {
    const object: JsonDraft = {};
    yield* this.#fill(object, bytes, { key, message: key });
    return object;
  }

  /**
   * Sets the fields of an object from a message. `key` is the struct of the object. `message` is the struct of the bytes: the same struct,
   * or one of its embedded structs.
   */
  *#fill(
    object: JsonDraft,
    bytes: Uint8Array,
    { key, message }: { readonly key: string; readonly message: string },
  ): Steps<void> {
    const known = this.#types.members(message);
    const types = this.#types.fields(key);
    for (const { number, value } of this.#fields(bytes, message.slice(message.indexOf('.') + 1))) {
      if (this.#breaks.isDue()) yield;
      const field = known.get(number);
      if (field === undefined) continue;
      if (field.embeds !== undefined) {
        yield* this.#fill(object, asBytes(value), { key, message: field.embeds });
        continue;
      }
      const declared = types.get(field.name);
      if (declared === undefined) continue;
      yield* this.#set(object, field.name, { type: declared.type, value });
      if (declared.omitsEmpty && isEmpty(object[field.name])) delete object[field.name];
    }
  }

  /** Sets a field. For a list or map, adds one element, because each element is a separate field of the message. */
  *#set(
    object: JsonDraft,
    name: string,
    { type, value }: { readonly type: GoType; readonly value: WireValue },
  ): Steps<void> {
    const before = object[name];
    if (type.kind === 'list') {
      const list: unknown[] = Array.isArray(before) ? before : [];
      for (const element of yield* this.#elements(value, type.of)) {
        this.#spendItem();
        list.push(element);
      }
      object[name] = list;
    } else if (type.kind === 'map') {
      const map = isObject(before) ? before : emptyObject();
      yield* this.#entry(map, value, type.of);
      object[name] = map;
    } else object[name] = yield* this.#value(value, type);
  }

  /** Yields and counts the fields of a message. */
  *#fields(bytes: Uint8Array, struct?: string): Generator<WireField> {
    for (const field of wireFields(bytes, struct)) {
      this.#spendField();
      yield field;
    }
  }

  #spendField(): void {
    this.#fieldsLeft -= 1;
    if (this.#fieldsLeft < 0) throw tooManyValues();
  }

  #spendItem(): void {
    this.#itemsLeft -= 1;
    if (this.#itemsLeft < 0) throw tooManyValues();
  }

  *#elements(value: WireValue, type: GoType): Steps<unknown[]> {
    const packed = value instanceof Uint8Array && (type.kind === 'int' || type.kind === 'bool');
    if (!packed) return [yield* this.#value(value, type)];
    const elements: unknown[] = [];
    for (const each of packedVarints(value)) {
      this.#spendField();
      if (this.#breaks.isDue()) yield;
      elements.push(scalar(each, type));
    }
    return elements;
  }

  *#entry(map: JsonDraft, value: WireValue, type: GoType): Steps<void> {
    let name: WireValue = nothing;
    let found: WireValue = type.kind === 'int' || type.kind === 'bool' ? 0n : nothing;
    for (const field of this.#fields(asBytes(value))) {
      if (this.#breaks.isDue()) yield;
      if (field.number === 1) name = field.value;
      else if (field.number === 2) found = field.value;
    }
    this.#spendItem();
    map[textOf(asBytes(name))] = yield* this.#value(found, type);
  }

  *#value(value: WireValue, type: GoType): Steps<unknown> {
    return isMessage(type) ? yield* this.#message(asBytes(value), type) : scalar(value, type);
  }

  /** Decodes a nested message. */
  *#message(bytes: Uint8Array, type: MessageType): Steps<unknown> {
    this.#level += 1;
    if (this.#level >= mostMessages) throw new MalformedMessageError('proto: exceeded maximum recursion depth');
    let value: unknown;
    if (type.kind === 'struct') value = yield* this.struct(bytes, type.key);
    else value = type.kind === 'list' ? yield* this.#wrapped(bytes, type.of) : yield* this.#own(bytes, type.name);
    this.#level -= 1;
    return value;
  }

  /** Decodes a message that wraps a list, for example the value of a map. */
  *#wrapped(bytes: Uint8Array, type: GoType): Steps<unknown[]> {
    const elements: unknown[] = [];
    for (const { value } of this.#fields(bytes)) {
      if (this.#breaks.isDue()) yield;
      for (const element of yield* this.#elements(value, type)) elements.push(element);
    }
    return elements;
  }

  /** Decodes a type whose message does not have the fields of its JSON form, such as a time or a quantity. */
  *#own(bytes: Uint8Array, name: string): Steps<unknown> {
    switch (name) {
      case 'v1.Time':
        return time(yield* this.#parts(bytes, { 1: integer('seconds'), 2: integer('nanos') }), 0);
      case 'v1.MicroTime':
        return time(yield* this.#parts(bytes, { 1: integer('seconds'), 2: integer('nanos') }), 6);
      case 'resource.Quantity':
        return (yield* this.#parts(bytes, { 1: ['string', text] }))['string'] ?? '0';
      case 'intstr.IntOrString': {
        const parts = yield* this.#parts(bytes, { 1: integer('type'), 2: integer('intVal'), 3: ['strVal', text] });
        return parts['type'] === 1 ? (parts['strVal'] ?? '') : (parts['intVal'] ?? 0);
      }
      case 'v1.JSONSchemaPropsOrArray': {
        const parts = yield* this.#parts(bytes, { 1: ['schema', schemaProps], 2: ['schemas', schemaList] });
        return parts['schemas'] ?? parts['schema'];
      }
      case 'v1.JSONSchemaPropsOrBool': {
        const parts = yield* this.#parts(bytes, { 1: ['allows', bool], 2: ['schema', schemaProps] });
        return parts['schema'] ?? parts['allows'] ?? false;
      }
      case 'v1.JSONSchemaPropsOrStringArray': {
        const parts = yield* this.#parts(bytes, { 1: ['schema', schemaProps], 2: ['property', textList] });
        return parts['property'] ?? parts['schema'];
      }
      default:
        // Types that contain JSON: v1.JSON, v1.FieldsV1, runtime.RawExtension.
        return json((yield* this.#parts(bytes, { 1: ['raw', text] }))['raw']);
    }
  }

  *#parts(bytes: Uint8Array, fields: Readonly<Record<number, readonly [string, GoType]>>): Steps<JsonDraft> {
    const parts: JsonDraft = {};
    for (const { number, value } of this.#fields(bytes)) {
      if (this.#breaks.isDue()) yield;
      const [name, type] = fields[number] ?? [];
      if (name !== undefined && type !== undefined) yield* this.#set(parts, name, { type, value });
    }
    return parts;
  }
}

function isMessage(type: GoType): type is MessageType {
  return type.kind === 'struct' || type.kind === 'list' || type.kind === 'read';
}

/** Decodes a value that is not a message. */
function scalar(value: WireValue, type: GoType): unknown {
  switch (type.kind) {
    case 'string':
      return textOf(asBytes(value));
    case 'bytes':
      return Buffer.from(asBytes(value)).toString('base64');
    case 'bool':
      return asInteger(value) !== 0n;
    case 'int':
      return exact(BigInt.asIntN(64, asInteger(value)));
    case 'float':
      return Buffer.from(asBytes(value)).readDoubleLE();
    default:
      throw new MalformedMessageError(`proto: cannot decode a field of type ${type.name}`);
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

/** Returns a time with the given number of fractional digits, or null for an empty message. */
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
  const { values, isTooDeep } = scanJson(Buffer.from(raw), mostValues);
  if (values > mostValues) throw tooManyValues();
  if (isTooDeep) throw new MalformedMessageError(tooDeep);
  try {
    return parseJson(raw);
  } catch (error) {
    throw new MalformedMessageError((error as Error).message);
  }
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === 0 || value === false;
}
