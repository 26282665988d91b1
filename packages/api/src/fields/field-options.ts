/** Options of every field. */
export interface FieldOptions {
  /**
   * Say true exactly where the field has a `?`. The compiler holds the two together: `?` is gone at run time, and the schema
   * must be whole without the TypeScript compiler. @default false
   */
  readonly optional?: true;
  /** Say true exactly where the field's type has `| null`. @default false */
  readonly nullable?: true;
  /** The value never changes after it was set (a CEL transition rule). @default false */
  readonly immutable?: true;
  /** The schema default, where an initialiser cannot say it. An initialiser wins. */
  readonly default?: unknown;
  readonly title?: string;
  readonly example?: unknown;
}
/** Options of `Field.string`. */
export interface StringOptions extends FieldOptions {
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression without flags; it matches anywhere unless it is anchored. */
  readonly pattern?: RegExp | string;
  readonly format?: 'byte' | 'date' | 'email' | 'hostname' | 'ipv4' | 'ipv6' | 'cidr' | 'uri' | 'uuid' | 'password';
  readonly default?: string;
}
/** Options of `Field.int32`, `Field.int64` and `Field.double`. */
export interface NumberOptions extends FieldOptions {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly default?: number;
}
/** Options of `Field.boolean`. */
export interface BooleanOptions extends FieldOptions {
  readonly default?: boolean;
}
/** Options of `Field.enum`. */
export interface EnumOptions<V> extends FieldOptions {
  readonly default?: V;
}
/** Options of `Field.list`, beside `mapKeys`. */
export interface ListOptions extends FieldOptions {
  readonly minItems?: number;
  readonly maxItems?: number;
  /** How server-side apply merges two writers. @default 'atomic'; 'set' for enums; 'map' when mapKeys are given */
  readonly listType?: 'atomic' | 'set' | 'map';
}
/** Options of `Field.map`. */
export interface MapOptions extends FieldOptions {
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly mapType?: 'granular' | 'atomic';
}
