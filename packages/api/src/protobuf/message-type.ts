import { Shape } from './shape.js';

/** The encodings of values. The encodings are numbers, because the decoder branches on the encoding of each field. */
export const Encoding = {
  string: 0,
  bool: 1,
  int: 2,
  double: 3,
  bytes: 4,
  message: 5,
  /** A message that contains a list of strings. */
  strings: 6,
  time: 7,
  microTime: 8,
  quantity: 9,
  intOrString: 10,
  /** A message that contains the bytes of a JSON value. */
  json: 11,
  schemaOrList: 12,
  schemaOrBool: 13,
  schemaOrStrings: 14,
} as const;
export type Encoding = (typeof Encoding)[keyof typeof Encoding];

const ENCODINGS: Readonly<Record<string, Encoding>> = {
  string: Encoding.string,
  bool: Encoding.bool,
  int32: Encoding.int,
  int64: Encoding.int,
  float64: Encoding.double,
  bytes: Encoding.bytes,
  '[]string': Encoding.strings,
  '!v1.Verbs': Encoding.strings,
  '!v1.Time': Encoding.time,
  '!v1.MicroTime': Encoding.microTime,
  '!resource.Quantity': Encoding.quantity,
  '!intstr.IntOrString': Encoding.intOrString,
  '!runtime.RawExtension': Encoding.json,
  '!v1.FieldsV1': Encoding.json,
  '!v1.JSON': Encoding.json,
  '!v1.JSONSchemaPropsOrArray': Encoding.schemaOrList,
  '!v1.JSONSchemaPropsOrBool': Encoding.schemaOrBool,
  '!v1.JSONSchemaPropsOrStringArray': Encoding.schemaOrStrings,
};

/**
 * A declaration of a field: the number, the JSON name, a mark, and the type. The mark `?` means that the JSON omits an empty value, `=null`
 * that the JSON contains null if the field is unset, and `=` that the JSON contains an empty value if the field is unset. `[]` and `{}`
 * before the type mean a list and a map. `@Name` is a message, and `>Name` is a message without a JSON name.
 */
const DECLARATION = /^(\d+) (?:>(\S+)|([^ =?]+)(\?|=null|=)? (\[\]|\{\})?(\S+))$/;

/** The field declarations of the messages for values with several JSON forms, by encoding. */
const PARTS: Readonly<Partial<Record<Encoding, readonly string[]>>> = {
  [Encoding.strings]: ['1 list? []string'],
  [Encoding.intOrString]: ['1 type int64', '2 number int64', '3 text string'],
  [Encoding.schemaOrList]: ['1 schema @JSONSchemaProps', '2 list? []@JSONSchemaProps'],
  [Encoding.schemaOrBool]: ['1 allows bool', '2 schema @JSONSchemaProps'],
  [Encoding.schemaOrStrings]: ['1 schema @JSONSchemaProps', '2 list? []string'],
};

type Resolve = (reference: string) => MessageType;

/** A field of a message. */
export class MessageField {
  readonly number: number;
  /** The name in JSON. Empty for an embedded message, whose fields are fields of the surrounding JSON object. */
  readonly name: string;
  readonly form: 'one' | 'list' | 'map' | 'embedded';
  /** The encoding of the value, or of the items of a list or map. */
  readonly encoding: Encoding;
  /** Whether the JSON omits an empty value. */
  readonly omitsEmpty: boolean;
  /** The value in the JSON if the field is unset: null or an empty value. Undefined if the JSON then omits the field. */
  readonly always: 'null' | 'empty' | undefined;
  /** The shapes of the JSON of a map. */
  readonly entries = new Shape();
  /** Determines whether the decoder searches for equal values of this field. */
  readonly sharing = new Sharing();
  readonly #resolve: Resolve;
  readonly #reference: string;
  #type: MessageType | undefined;

  constructor(declaration: string, resolve: Resolve) {
    const match = DECLARATION.exec(declaration);
    if (match === null) throw new TypeError(`'${declaration}' is not a declaration of a field`);
    const [, number, embedded, name = '', mark, form, type = ''] = match;
    this.number = Number(number);
    this.name = name;
    this.form = embedded !== undefined ? 'embedded' : form === '[]' ? 'list' : form === '{}' ? 'map' : 'one';
    this.encoding = ENCODINGS[type] ?? Encoding.message;
    this.omitsEmpty = mark === '?';
    this.always = mark === '=' ? 'empty' : mark === '=null' ? 'null' : undefined;
    this.#resolve = resolve;
    this.#reference = embedded ?? type.slice(1);
  }

  /** Whether Kubernetes sends the field even if it is unset. This is the case for fields that are not pointers in Go. */
  get isAlwaysSent(): boolean {
    const { encoding } = this;
    if (this.omitsEmpty) return encoding !== Encoding.bytes;
    if (this.always !== 'null') return this.always === 'empty';
    return encoding === Encoding.time || encoding === Encoding.microTime || encoding === Encoding.json;
  }

  /** The message of the value. */
  get type(): MessageType {
    if (this.#type === undefined) {
      const parts = PARTS[this.encoding];
      this.#type = parts ? new MessageType(this.name, parts, this.#resolve) : this.#resolve(this.#reference);
    }
    return this.#type;
  }
}

/** A protobuf message of a built-in kind. */
export class MessageType {
  /** The name in messages, such as `core/v1.PodSpec`. */
  readonly name: string;
  /** The shapes of the JSON of the message. */
  readonly shapes = new Shape();
  readonly #declared: readonly string[];
  readonly #resolve: Resolve;
  #fields: readonly MessageField[] | undefined;
  #byNumber: (MessageField | undefined)[] | undefined;
  #required: readonly MessageField[] | undefined;

  constructor(name: string, declared: readonly string[], resolve: Resolve) {
    this.name = name;
    this.#declared = declared;
    this.#resolve = resolve;
  }

  /** The fields in the order of their numbers. */
  get fields(): readonly MessageField[] {
    this.#fields ??= this.#declared
      .map((each) => new MessageField(each, this.#resolve))
      .toSorted((a, b) => a.number - b.number);
    return this.#fields;
  }

  /** The fields in a list whose indexes are the field numbers. */
  get byNumber(): readonly (MessageField | undefined)[] {
    if (this.#byNumber === undefined) {
      const most = this.fields.at(-1)?.number ?? 0;
      this.#byNumber = Array.from({ length: most + 1 }, () => undefined);
      for (const field of this.fields) this.#byNumber[field.number] = field;
    }
    return this.#byNumber;
  }

  /** The fields that the JSON always contains, including the fields of embedded messages. */
  get required(): readonly MessageField[] {
    this.#required ??= this.fields.flatMap((field) =>
      field.form === 'embedded' ? field.type.required : field.always === undefined ? [] : [field],
    );
    return this.#required;
  }
}

/** If fewer than `MIN_HITS` of `TRIAL` searches find an equal value, the next `PAUSE` values are not searched. */
const TRIAL = 128;
const MIN_HITS = 8;
const PAUSE = 1024;

/** Counts how often a value was found among the shared values, so that values that are always different are not searched. */
export class Sharing {
  #left = TRIAL;
  #hits = 0;

  /** Whether to search the next value. */
  get isWorthwhile(): boolean {
    if (this.#left > 0) return true;
    this.#left++;
    if (this.#left === 0) this.#left = TRIAL;
    return false;
  }

  /** Counts a search. */
  count(isFound: boolean): void {
    if (isFound) this.#hits++;
    if (--this.#left > 0) return;
    this.#left = this.#hits < MIN_HITS ? -PAUSE : TRIAL;
    this.#hits = 0;
  }
}
