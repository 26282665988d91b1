import { KubewrightError } from '@kubewright/api/errors';
import { append, stringifyJson } from '@kubewright/api/json';
import { canonicalQuantity, canonicalThousandths } from '@kubewright/api/quantity';
import { canonicalTime } from './go-time.js';
import { type GoField, type GoType, type GoTypes, schemaProps } from '../cluster-data/go-types.js';
import type { JsonDraft } from '../objects/api-object.js';
import { hasNoFields, isObject } from '../objects/json-object.js';

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** The structs whose resource lists contain quantities that are not rounded to thousandths. */
const unrounded: ReadonlySet<string> = new Set(['Overhead']);
const zeros = { string: '', bytes: '', bool: false, int: 0, float: 0 } as const;

/** The error for a body that cannot be decoded. The message is the same as in kube-apiserver. */
export class UnreadableError extends Error {}

/**
 * Decodes the JSON of a built-in object as kube-apiserver does. Each value must have the type of its field. Null fields are removed, null
 * items of lists and maps become zero values, and quantities and times get their canonical form. The reader reports the first value of a
 * wrong type. Some types, such as quantities, have their own decoder. If such a decoder reports an error, the reader stops, and reports
 * this error instead of the first value of a wrong type.
 */
export class TypedReader {
  readonly #types: GoTypes;
  #struct = '';
  #path: string[] = [];
  #first: string | undefined;

  constructor(types: GoTypes) {
    this.#types = types;
  }

  /** Reads an object in place. Throws an UnreadableError if the object does not fit the type. */
  read(object: JsonDraft, type: GoType): void {
    this.#value(object, type);
    if (this.#first !== undefined) throw new UnreadableError(this.#first);
  }

  #value(value: unknown, type: GoType): unknown {
    switch (type.kind) {
      case 'any':
        return value;
      case 'read':
        return this.#own(value, type.name);
      case 'struct':
        return isObject(value) ? this.#fields(value, type.key) : this.#mismatch(value, type);
      case 'map':
        return isObject(value) ? this.#entries(value, type) : this.#mismatch(value, type);
      case 'list':
        return Array.isArray(value) ? this.#items(value, type.of) : this.#mismatch(value, type);
      case 'bytes':
        return typeof value === 'string' ? this.#bytes(value) : this.#mismatch(value, type);
      case 'int':
        return this.#integer(value, type);
      case 'float':
        return typeof value === 'number' ? value : this.#mismatch(value, type);
      case 'string':
        return typeof value === 'string' ? value : this.#mismatch(value, type);
      case 'bool':
        return typeof value === 'boolean' ? value : this.#mismatch(value, type);
    }
  }

  #fields(object: JsonDraft, key: string): JsonDraft {
    const fields = this.#types.fields(key);
    const before = { struct: this.#struct, depth: this.#path.length };
    for (const [name, value] of Object.entries(object)) {
      const field = fields.get(name);
      if (field === undefined) continue;
      if (value === null) {
        delete object[name];
        continue;
      }
      this.#struct = key.slice(key.lastIndexOf('.') + 1);
      append(this.#path, field.within);
      this.#path.push(name);
      object[name] = this.#value(value, field.type);
      this.#path.length = before.depth;
      if (object[name] === undefined || (isEmpty(object[name]) && emptyIsNone(name, field))) delete object[name];
    }
    this.#struct = before.struct;
    return object;
  }

  #entries(map: JsonDraft, { of, name: called }: GoType & { readonly of: GoType }): JsonDraft {
    const rounds = called === 'v1.ResourceList' && !unrounded.has(this.#struct);
    for (const name of Object.keys(map)) {
      const value = map[name];
      const read = value === null ? zero(of) : rounds ? quantity(value, canonicalThousandths) : this.#value(value, of);
      if (read !== value) map[name] = read;
    }
    return map;
  }

  #items(list: unknown[], type: GoType): unknown[] {
    for (let index = 0; index < list.length; index += 1) {
      const value = list[index];
      list[index] = value === null ? zero(type) : this.#value(value, type);
    }
    return list;
  }

  #integer(value: unknown, type: GoType): unknown {
    if (typeof value !== 'number' && typeof value !== 'bigint') return this.#mismatch(value, type);
    if (fitsInteger(value, type.name === 'int32' ? 32n : 64n)) return value;
    return this.#saved(`number ${String(value)}`, type.name, value);
  }

  #bytes(text: string): unknown {
    const at = corruptByte(text);
    if (at !== undefined) this.#first ??= `illegal base64 data at input byte ${at}`;
    return text;
  }

  /** Reads a value of a type with its own decoder. Throws an UnreadableError if the decoder cannot read the value. */
  #own(value: unknown, name: string): unknown {
    switch (name) {
      case 'resource.Quantity':
        return quantity(value);
      case 'intstr.IntOrString':
        if (typeof value === 'string') return value;
        if (typeof value !== 'number' && typeof value !== 'bigint') {
          throw new UnreadableError(this.#text(typeName(value), 'int32'));
        }
        if (!fitsInteger(value, 32n)) throw new UnreadableError(this.#text(`number ${String(value)}`, 'int32'));
        return value;
      case 'v1.Time':
      case 'v1.MicroTime':
        if (typeof value !== 'string') throw new UnreadableError(this.#text(typeName(value), 'string'));
        return readable(() => canonicalTime(value, name));
      case 'v1.JSONSchemaPropsOrArray':
      case 'v1.JSONSchemaPropsOrBool':
        if (typeof value !== 'object' && name === 'v1.JSONSchemaPropsOrArray') return undefined;
        if (typeof value !== 'object' && typeof value !== 'boolean') {
          throw new UnreadableError('boolean or JSON schema expected');
        }
        for (const schema of [value].flat())
          if (isObject(schema)) new TypedReader(this.#types).read(schema, schemaProps);
        return value;
      default:
        return value;
    }
  }

  #mismatch(value: unknown, type: GoType): unknown {
    return this.#saved(typeName(value), type.name, value);
  }

  #saved(found: string, desired: string, value: unknown): unknown {
    this.#first ??= this.#text(found, desired);
    return value;
  }

  #text(found: string, desired: string): string {
    const place = this.#struct === '' ? 'value' : `struct field ${this.#struct}.${this.#path.join('.')}`;
    return `json: cannot unmarshal ${found} into Go ${place} of type ${desired}`;
  }
}

function quantity(value: unknown, canonical = canonicalQuantity): unknown {
  const text = typeof value === 'string' ? value.trim() : stringifyJson(value);
  return readable(() => canonical(text));
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError || error instanceof KubewrightError) throw new UnreadableError(error.message);
    throw error;
  }
}

/** Returns the zero value that replaces null in a list or map. */
function zero({ kind, name }: GoType): unknown {
  if (kind === 'struct') return {};
  if (kind === 'read') return name === 'resource.Quantity' ? '0' : null;
  return kind === 'list' || kind === 'map' || kind === 'any' ? null : zeros[kind];
}

/** Whether a number is a signed integer that fits in the given number of bits. */
function fitsInteger(value: number | bigint, bits: bigint): boolean {
  if (typeof value === 'number' && !Number.isInteger(value)) return false;
  const limit = 2n ** (bits - 1n);
  return BigInt(value) >= -limit && BigInt(value) < limit;
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/**
 * Whether an empty value of the field is the same as an unset field. This applies to fields that omit empty values, with two exceptions: an
 * empty `managedFields` list resets all managers, and types with their own decoder validate the empty value.
 */
function emptyIsNone(name: string, { omitsEmpty, type }: GoField): boolean {
  return omitsEmpty && type.kind !== 'read' && name !== 'managedFields';
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return hasNoFields(value);
  return value === '' || value === 0 || value === false;
}

/** Returns the position of the first invalid byte of base64 text. Returns undefined for valid text. */
function corruptByte(text: string): number | undefined {
  if (base64.test(text)) return undefined;
  let count = 0;
  for (const [at, character] of [...text].entries()) {
    if (character === '\n' || character === '\r') continue;
    if (character === '=') return corruptPadding(text, { at, count });
    if (!/[A-Za-z0-9+/]/.test(character)) return at;
    count += 1;
  }
  return count % 4 === 0 ? undefined : text.length - (count % 4);
}

/**
 * Returns the position of the first invalid byte of the padding, or undefined for valid padding. `at` is the position of the first `=`, and
 * `count` is the number of base64 characters before this position.
 */
function corruptPadding(
  text: string,
  { at, count }: { readonly at: number; readonly count: number },
): number | undefined {
  if (count % 4 < 2) return at;
  const rest = Array.from(text.slice(at + 1), (character, index) => ({ character, at: at + 1 + index })).filter(
    ({ character }) => character !== '\n' && character !== '\r',
  );
  if (count % 4 === 3) return rest[0]?.at;
  if (rest.length === 0) return text.length;
  return rest[0]?.character === '=' ? rest[1]?.at : rest[0]?.at;
}
