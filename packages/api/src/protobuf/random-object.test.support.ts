import { Encoding, type MessageField, type MessageType } from './message-type.js';

type Json = Record<string, unknown>;

/** The depth at which optional lists, maps and messages are omitted. */
const MAX_DEPTH = 5;
const TEXTS = [
  'a',
  'web',
  'größer',
  '日本',
  'x'.repeat(127),
  'y'.repeat(129),
  'ü'.repeat(70),
  'kube-api-access',
  '"\n\\',
];
const NUMBERS = [1, 42, -1, 300, 2 ** 31 - 1, -(2 ** 31), 2 ** 53 - 1, 2n ** 62n, -(2n ** 53n)];
const TIMES = [
  '1969-12-31T23:59:59Z',
  '1970-01-01T00:00:00Z',
  '2024-02-29T12:34:56Z',
  '9999-12-31T23:59:59Z',
  '0001-01-02T00:00:00Z',
];

/** Generates JSON as API servers write it, for the messages of all kinds. The same seed generates the same objects. */
export class RandomObjects {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns an object of a message. Each embedded message contributes its fields. */
  object(type: MessageType, depth = 0): Json {
    const object: Json = {};
    for (const field of type.fields) {
      if (field.form === 'embedded') Object.assign(object, this.object(field.type, depth));
      else {
        const value = this.#field(field, depth);
        if (value !== undefined) object[field.name] = value;
      }
    }
    return object;
  }

  #field(field: MessageField, depth: number): unknown {
    const isSet = depth < MAX_DEPTH && this.#next(3) === 0;
    if (field.form !== 'one') {
      if (!isSet) return field.always === 'null' ? null : undefined;
      return field.form === 'list' ? this.#list(field, depth + 1) : this.#map(field, depth + 1);
    }
    if (field.always === 'empty' && field.encoding === Encoding.message) return this.object(field.type, depth + 1);
    if (!isSet) return field.always === 'empty' ? zeroOf(field) : field.always === 'null' ? null : undefined;
    const value = this.#value(field, depth + 1);
    return field.omitsEmpty && (value === 0 || value === '' || value === false) ? undefined : value;
  }

  #list(field: MessageField, depth: number): unknown[] {
    return Array.from({ length: 1 + this.#next(3) }, () => this.#value(field, depth));
  }

  #map(field: MessageField, depth: number): Json {
    const map: Json = {};
    for (let left = this.#next(50) === 0 ? 40 : 1 + this.#next(3); left > 0; left--) {
      const key = this.#next(40) === 0 ? '__proto__' : `${this.#pick(TEXTS)}${this.#next(4)}`;
      Object.defineProperty(map, key, {
        value: this.#value(field, depth),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return map;
  }

  #value(field: MessageField, depth: number): unknown {
    switch (field.encoding) {
      case Encoding.message:
        return this.object(field.type, depth);
      case Encoding.bool:
        return this.#next(2) === 0;
      case Encoding.int:
        return this.#next(3) === 0 ? 0 : this.#pick(NUMBERS);
      case Encoding.double:
        return this.#next(1000) / 8;
      case Encoding.bytes:
        return Buffer.from(this.#pick(TEXTS)).toString('base64');
      case Encoding.time:
        return this.#pick(TIMES);
      case Encoding.microTime:
        return this.#pick(TIMES).replace('Z', '.012345Z');
      case Encoding.quantity:
        return this.#pick(['1', '250m', '512Mi']);
      case Encoding.intOrString:
        return this.#pick([80, -1, 'http', '25%']);
      case Encoding.json:
        return this.#pick<unknown>([{ 'f:spec': { '.': {} } }, [1, 'a', null], 'text', 5, true, { big: 2n ** 60n }]);
      case Encoding.strings:
        return Array.from({ length: this.#next(3) }, () => this.#pick(TEXTS));
      case Encoding.schemaOrBool:
        return this.#next(2) === 0 ? this.#next(2) === 0 : this.#schema(field, depth);
      case Encoding.schemaOrList:
        return this.#next(2) === 0 ? [this.#schema(field, depth)] : this.#schema(field, depth);
      case Encoding.schemaOrStrings:
        return this.#next(2) === 0 ? ['a', 'b'] : this.#schema(field, depth);
      default:
        return this.#pick(TEXTS);
    }
  }

  /** Returns an object of the message that the value can contain instead of another value. */
  #schema(field: MessageField, depth: number): Json {
    const schema = field.type.fields.find(({ name }) => name === 'schema');
    return schema === undefined ? {} : this.object(schema.type, depth + 1);
  }

  /** Returns a number from 0 to `below` - 1. */
  #next(below: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) | 0;
    return (this.#state >>> 8) % below;
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.#next(values.length)] as T;
  }
}

function zeroOf({ encoding }: MessageField): unknown {
  switch (encoding) {
    case Encoding.string:
      return '';
    case Encoding.bool:
      return false;
    case Encoding.quantity:
      return '0';
    default:
      return 0;
  }
}
