import type { RuleOptions } from '../metadata/rule-options.js';

/** Options of every field. */
export interface FieldOptions<V = unknown> {
  /**
   * Set to true if and only if the field has a `?`. The compiler checks that the option and the type agree. The option is necessary because
   * `?` does not exist at run time. @default false
   */
  readonly optional?: true;
  /** Set to true if and only if the type of the field has `| null`. @default false */
  readonly nullable?: true;
  /**
   * Set to true if the value must not change after it is set (a CEL transition rule). An optional field can be unset at first. After it is
   * set, it cannot be removed. @default false
   */
  readonly immutable?: true;
  /** The schema default, for a field without an initializer. An initializer takes precedence. */
  readonly default?: V;
  /** CEL rules for the value, like `@Rule` on the field. In the options of an item decorator, the rules apply to each item. */
  readonly rules?: readonly RuleOptions[];
  readonly title?: string;
  /** The description of the field in the schema. @default the doc comment of the field, or of its class */
  readonly description?: string;
  readonly example?: V;
  /** A link to further documentation. */
  readonly externalDocs?: { readonly url: string; readonly description?: string };
}
/** Constraints of strings. */
export interface StringConstraints {
  /** The minimum length in code points. */
  readonly minLength?: number;
  /**
   * The maximum length in code points. Set the option if a CEL rule uses the string. Without `maxLength`, the API server estimates the cost
   * of the rule for the longest string that a request can contain.
   */
  readonly maxLength?: number;
  /** A regular expression without flags. The expression matches anywhere in the string if it has no anchors. */
  readonly pattern?: RegExp | string;
}
/** Constraints of numbers. */
export interface NumberConstraints {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
}
/** Constraints of lists. */
export interface ListConstraints {
  readonly minItems?: number;
  /**
   * The maximum number of items. Set the option if a CEL rule uses the items. Without `maxItems`, the API server estimates the cost of the
   * rule for as many items as a request can contain.
   */
  readonly maxItems?: number;
}
/** Constraints of objects and maps. */
export interface ObjectConstraints {
  readonly minProperties?: number;
  /**
   * The maximum number of keys. Set the option if a CEL rule uses the values of a map. Without `maxProperties`, the API server estimates
   * the cost of the rule for as many values as a request can contain.
   */
  readonly maxProperties?: number;
}
/** Options of `Field.string`. */
export interface StringOptions extends FieldOptions<string>, StringConstraints {
  readonly format?: StringFormat;
}
/** The string formats that the API server validates. For timestamps, use `Field.dateTime`. */
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
  /** How server-side apply merges the changes of two managers: by field, or the complete object. @default 'granular' */
  readonly mapType?: 'granular' | 'atomic';
  /** Set to true to preserve unknown fields. By default, the API server removes unknown fields without an error. @default false */
  readonly preserveUnknownFields?: true;
}
/** Options of `Field.list`, except `mapKeys`. */
export interface ListOptions<V = unknown> extends FieldOptions<V>, ListConstraints {
  /**
   * How server-side apply merges the changes of two managers. @default 'map' if `mapKeys` is set, 'set' for a list of enum values,
   * otherwise 'atomic'
   */
  readonly listType?: 'atomic' | 'set' | 'map';
}
/** Options of `Field.map`. */
export interface MapOptions<V = unknown> extends FieldOptions<V>, ObjectConstraints {
  /** How server-side apply merges the changes of two managers: by key, or the complete map. @default 'granular' */
  readonly mapType?: 'granular' | 'atomic';
}
/** Options of `Field.intOrString`. The string constraints apply only to strings. */
export interface IntOrStringOptions extends FieldOptions<string | number>, StringConstraints {}

/** The additional constraints that a custom decorator accepts for values of a type. */
export type ConstraintsOf<V> = [V] extends [string | number]
  ? [V] extends [number]
    ? NumberConstraints
    : StringConstraints
  : [V] extends [readonly unknown[]]
    ? ListConstraints
    : [V] extends [boolean]
      ? unknown
      : ObjectConstraints;
