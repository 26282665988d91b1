import type { AnyClass } from '../metadata/any-class.js';
import type { OneOfRecord } from '../metadata/class-metadata.js';
import { recordMetadata } from '../metadata/reflection.js';

type KeysCheck<T, Keys extends readonly string[]> =
  Exclude<Keys[number], keyof T> extends infer Missing
    ? [Missing] extends [never]
      ? unknown
      : `no field '${Missing & string}'`
    : never;
type OneOfDecorator<Keys extends readonly string[]> = <C extends abstract new () => object>(
  target: C & KeysCheck<InstanceType<C>, Keys>,
) => void;

const record =
  (keys: readonly string[], count: OneOfRecord['count']) =>
  (target: unknown): void =>
    recordMetadata(target as AnyClass, (metadata) => ({ ...metadata, oneOf: [{ keys, count }, ...metadata.oneOf] }));

/** Requires exactly one of the given fields to be set. */
export function ExactlyOneOf<const Keys extends readonly [string, string, ...string[]]>(
  ...keys: Keys
): OneOfDecorator<Keys> {
  return record(keys, 'exactly one');
}

/** Allows at most one of the given fields to be set. */
export function AtMostOneOf<const Keys extends readonly [string, string, ...string[]]>(
  ...keys: Keys
): OneOfDecorator<Keys> {
  return record(keys, 'at most one');
}

/** Requires at least one of the given fields to be set. */
export function AtLeastOneOf<const Keys extends readonly [string, string, ...string[]]>(
  ...keys: Keys
): OneOfDecorator<Keys> {
  return record(keys, 'at least one');
}
