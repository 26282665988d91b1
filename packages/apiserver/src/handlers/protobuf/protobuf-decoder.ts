import { parseJson } from '@kubewright/api/json';
import { type GoType, type GoTypes, schemaProps } from '../../registry/decoding/go-types.js';
import { emptyObject, isObject, type JsonDraft } from '../../registry/json-object.js';
import { mostValues, tooManyValues } from '../../storage/value-limit.js';
import { tooDeep } from '../json-fault.js';
import { scanJson } from '../json-scan.js';
import { textOf } from '../read-json.js';
import { MalformedMessageError, packedVarints, type WireField, wireFields } from './wire-reader.js';

type WireValue = WireField['value'];

const schemaList: GoType = { kind: 'list', name: '[]v1.JSONSchemaProps', of: schemaProps };
const text: GoType = { kind: 'string', name: 'string' };
const bool: GoType = { kind: 'bool', name: 'bool' };
const nothing = new Uint8Array();
const textList: GoType = { kind: 'list', name: '[]string', of: text };

/** The most fields that are read. A value needs up to three fields, and clients in Go send many fields that are empty. */
const mostFields = 4 * mostValues;
/** The most messages within each other. Each one takes about 1 KB of the stack. */
const mostMessages = 500;

/**
 * Reads protobuf messages of built-in kinds as the JSON that the same client would have sent: what a struct of the server's
 * own program leaves out when it is empty is left out. Throws a MalformedMessageError, also for too many levels, and 413 for too many
 * fields.
 */
export class ProtobufDecoder {
  readonly #types: GoTypes;
  #fieldsLeft = mostFields;
  /** The number of items of lists and maps that may follow. */
  #itemsLeft = mostValues;
  #level = 0;

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
    for (const { number, value } of this.#fields(bytes, message.slice(message.indexOf('.') + 1))) {
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
      for (const element of this.#elements(value, type.of)) {
        this.#spendItem();
        list.push(element);
      }
      object[name] = list;
    } else if (type.kind === 'map') {
      const map = isObject(before) ? before : emptyObject();
      this.#entry(map, value, type.of);
      object[name] = map;
    } else object[name] = this.#value(value, type);
  }

  /** Counts the fields of a message. */
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

  #elements(value: WireValue, type: GoType): unknown[] {
    const packed = value instanceof Uint8Array && (type.kind === 'int' || type.kind === 'bool');
    if (!packed) return [this.#value(value, type)];
    const elements: unknown[] = [];
    for (const each of packedVarints(value)) {
      this.#spendField();
      elements.push(this.#value(each, type));
    }
    return elements;
  }

  #entry(map: JsonDraft, value: WireValue, type: GoType): void {
    let name: WireValue = nothing;
    let found: WireValue = type.kind === 'int' || type.kind === 'bool' ? 0n : nothing;
    for (const field of this.#fields(asBytes(value))) {
      if (field.number === 1) name = field.value;
      else if (field.number === 2) found = field.value;
    }
    this.#spendItem();
    map[this.#value(name, text) as string] = this.#value(found, type);
  }

  #value(value: WireValue, type: GoType): unknown {
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
      case 'struct':
      case 'list':
      case 'read':
        return this.#message(asBytes(value), type);
      case 'map':
      case 'any':
        throw new MalformedMessageError(`proto: a field of the type ${type.name} cannot be read`);
    }
  }

  /** Reads a message that is nested in another one. */
  #message(bytes: Uint8Array, type: GoType): unknown {
    this.#level += 1;
    if (this.#level >= mostMessages) throw new MalformedMessageError('proto: exceeded maximum recursion depth');
    let value: unknown;
    if (type.kind === 'struct') value = this.struct(bytes, type.key);
    else value = type.kind === 'list' ? this.#wrapped(bytes, type.of) : this.#own(bytes, type.name);
    this.#level -= 1;
    return value;
  }

  /** A list in a place where there is one message: a map's value, for one. */
  #wrapped(bytes: Uint8Array, type: GoType): unknown[] {
    return [...this.#fields(bytes)].flatMap(({ value }) => this.#elements(value, type));
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
    for (const { number, value } of this.#fields(bytes)) {
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
