import type { Bare } from '../objects/default.js';

/**
 * Allows only the options of `Allowed`. The compiler message contains the name of any other option. With an intersection with `never`, the
 * message would not contain the name.
 */
export type Only<O, Allowed> = O & { readonly [K in Exclude<keyof O, keyof Allowed> & string]: NoSuchOption<K> };
interface NoSuchOption<Name extends string> {
  readonly noSuchOption: Name;
}

/**
 * Is `unknown` if the type of a field matches the schema of its decorator. Otherwise, is a sentence with the reason. The compiler reports
 * this sentence.
 */
export type Agrees<T, K extends keyof T & string, V, O, Name extends string> =
  {} extends Pick<T, K>
    ? O extends { readonly optional: true }
      ? Nulls<T, K, V, O, Name>
      : `field '${K}' is optional: write @${Name} with { optional: true }, or '${K}!:'`
    : O extends { readonly optional: true }
      ? `field '${K}' is not optional: write '${K}?:', or remove { optional: true }`
      : Nulls<T, K, V, O, Name>;
type Nulls<T, K extends keyof T & string, V, O, Name extends string> = unknown extends T[K]
  ? unknown extends V
    ? unknown
    : `field '${K}' is unknown, but @${Name} is for ${Word<V>}`
  : null extends T[K]
    ? O extends { readonly nullable: true }
      ? Value<K, Bare<NonNullable<T[K]>>, V, Name>
      : `field '${K}' can be null: write @${Name} with { nullable: true }`
    : O extends { readonly nullable: true }
      ? `field '${K}' is never null: write '| null', or remove { nullable: true }`
      : Value<K, Bare<NonNullable<T[K]>>, V, Name>;
type Value<K extends string, F, V, Name extends string> =
  Same<F, V> extends true
    ? unknown
    : [Listed<F>, Listed<V>] extends [true, true]
      ? Members<K, F & Scalar, V & Scalar, Name>
      : Mismatch<K, F, V, Name>;
type Scalar = string | number;
/** Is true for a union of string literals and number literals. */
type Listed<T> = [T] extends [Scalar] ? (string extends T ? false : number extends T ? false : true) : false;
type Members<K extends string, F extends Scalar, V extends Scalar, Name extends string> = [Exclude<V, F>] extends [
  never,
]
  ? `field '${K}' can be '${Exclude<F, V>}', which @${Name} does not list`
  : `@${Name} lists '${Exclude<V, F>}', which the type of field '${K}' does not have`;
/**
 * The sentence for two different types. A type does not contain the name of its class. If both types have the same description, the result
 * therefore makes the compiler print both types.
 */
type Mismatch<K extends string, F, V, Name extends string> =
  Word<F> extends Word<V>
    ? { readonly [P in K]?: V } & `field '${K}' and @${Name} have different classes`
    : `field '${K}' is ${Word<F>}, but @${Name} is for ${Word<V>}`;
type Word<T> = [T] extends [string]
  ? string extends T
    ? 'string'
    : 'a set of strings'
  : [T] extends [number]
    ? number extends T
      ? 'number'
      : 'a set of numbers'
    : [T] extends [boolean]
      ? 'boolean'
      : [T] extends [string | number]
        ? 'string | number'
        : [T] extends [readonly (infer I)[]]
          ? I extends string | number | boolean
            ? `a list of ${Word<I>}`
            : 'a list'
          : string extends keyof T
            ? 'a map'
            : [T] extends [object]
              ? 'an object'
              : 'of a different type';
/** Is true if two types are the same. A `readonly` list is the same as a mutable list, also within lists and maps. */
type Same<A, B> = unknown extends A
  ? Identical<A, B>
  : null extends A
    ? null extends B
      ? SameBesideNull<Exclude<A, null>, Exclude<B, null>>
      : false
    : null extends B
      ? false
      : SameBesideNull<A, B>;
type SameBesideNull<A, B> = [A] extends [string | number | boolean]
  ? [A] extends [B]
    ? [B] extends [A]
      ? true
      : false
    : false
  : [A] extends [readonly (infer X)[]]
    ? [B] extends [readonly (infer Y)[]]
      ? Same<X, Y>
      : false
    : [B] extends [readonly unknown[]]
      ? false
      : string extends keyof A
        ? string extends keyof B
          ? Same<A[keyof A], B[keyof B]>
          : Identical<A, B>
        : Identical<A, B>;
type Identical<A, B> = (<G>() => G extends A ? 1 : 2) extends <G>() => G extends B ? 1 : 2 ? true : false;
