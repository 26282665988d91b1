import type { RuleOptions } from '../metadata/rule-options.js';

/** Options of every field. */
export interface FieldOptions<V = unknown> {
  /**
   * Say true exactly where the field has a `?`. The compiler holds the two together: `?` is gone at run time, and the schema
   * must be whole without the TypeScript compiler. @default false
   */
  readonly optional?: true;
  /** Say true exactly where the field's type has `| null`. @default false */
  readonly nullable?: true;
  /**
   * The value never changes after it was set (a CEL transition rule). An optional field may be set later, and cannot be taken away
   * then. @default false
   */
  readonly immutable?: true;
  /** The schema default, where an initialiser cannot say it. An initialiser wins. */
  readonly default?: V;
  /** CEL rules over the value, as `@Rule` on the field says them; here they hold for items too. */
  readonly rules?: readonly RuleOptions[];
  readonly title?: string;
  /** @default the doc comment of the field, or of its class */
  readonly description?: string;
  readonly example?: V;
  /** Where more is said. */
  readonly externalDocs?: { readonly url: string; readonly description?: string };
}
/** What may be demanded of text. */
export interface StringConstraints {
  /** In code points. */
  readonly minLength?: number;
  /** In code points. Rules over text need it: without it the API server thinks of the longest text that a request can carry. */
  readonly maxLength?: number;
  /** A regular expression without flags; it matches anywhere unless it is anchored. */
  readonly pattern?: RegExp | string;
}
/** What may be demanded of numbers. */
export interface NumberConstraints {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
}
/** What may be demanded of lists. */
export interface ListConstraints {
  readonly minItems?: number;
  /** Rules over items need it: without it the API server thinks of as many as a request can carry. */
  readonly maxItems?: number;
}
/** What may be demanded of objects and maps. */
export interface ObjectConstraints {
  readonly minProperties?: number;
  /** Rules over the values of a map need it: without it the API server thinks of as many as a request can carry. */
  readonly maxProperties?: number;
}
/** Options of `Field.string`. */
export interface StringOptions extends FieldOptions<string>, StringConstraints {
  readonly format?: StringFormat;
}
/** The formats of text that the API server checks; `Field.dateTime` is for moments. */
export type StringFormat =
  | 'bsonobjectid'
  | 'byte'
  | 'cidr'
  | 'creditcard'
  | 'date'
  | 'duration'
  | 'email'
  | 'hexcolor'
  | 'hostname'
  | 'ipv4'
  | 'ipv6'
  | 'isbn'
  | 'isbn10'
  | 'isbn13'
  | 'k8s-long-name'
  | 'k8s-short-name'
  | 'mac'
  | 'password'
  | 'rgbcolor'
  | 'ssn'
  | 'uri'
  | 'uuid'
  | 'uuid3'
  | 'uuid4'
  | 'uuid5';
/** Options of `Field.int32`, `Field.int64` and `Field.double`. */
export interface NumberOptions extends FieldOptions<number>, NumberConstraints {}
/** Options of `Field.object`. */
export interface ObjectOptions<V = unknown> extends FieldOptions<V>, ObjectConstraints {
  /** How server-side apply merges two writers: by field, or the whole object at once. @default 'granular' */
  readonly mapType?: 'granular' | 'atomic';
  /** Fields that the class does not have are kept, and not removed without a word. @default false */
  readonly preserveUnknownFields?: true;
}
/** Options of `Field.list`, beside `mapKeys`. */
export interface ListOptions<V = unknown> extends FieldOptions<V>, ListConstraints {
  /** How server-side apply merges two writers. @default 'atomic'; 'set' for enums; 'map' when mapKeys are given */
  readonly listType?: 'atomic' | 'set' | 'map';
}
/** Options of `Field.map`. */
export interface MapOptions<V = unknown> extends FieldOptions<V>, ObjectConstraints {
  /** How server-side apply merges two writers: by key, or the whole map at once. @default 'granular' */
  readonly mapType?: 'granular' | 'atomic';
}
/** Options of `Field.intOrString`; what is demanded of text holds where it is text. */
export interface IntOrStringOptions extends FieldOptions<string | number>, StringConstraints {}

/** What may be demanded of values of a type, beside what a decorator of one's own demands of them already. */
export type ConstraintsOf<V> = [V] extends [string | number]
  ? [V] extends [number]
    ? NumberConstraints
    : StringConstraints
  : [V] extends [readonly unknown[]]
    ? ListConstraints
    : [V] extends [boolean]
      ? unknown
      : ObjectConstraints;
