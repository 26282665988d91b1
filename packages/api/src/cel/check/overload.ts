import type { CelType } from '../values/cel-type.js';
import type { CelValue } from '../values/cel-value.js';

/**
 * Returns the result of a function call. The arguments are not errors. The arguments have the types of the overload, except for functions
 * that check their arguments themselves.
 */
export type Run = (...args: readonly CelValue[]) => CelValue;

/** One signature of a function and its implementation. */
export interface Overload {
  readonly id: string;
  readonly name: string;
  /** Whether the first argument is the receiver before the dot. */
  readonly member: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
  readonly run: Run;
}

/** The types of the arguments and of the result of an overload. */
export interface Signature {
  readonly args: readonly CelType[];
  readonly result: CelType;
}

/** Returns an overload of a function that is called as `name(argument)`. The arguments of `run` always have the types of `args`. */
export function func<Args extends readonly CelValue[]>(
  [id, name]: readonly [string, string],
  { args, result }: Signature,
  run: (...args: Args) => CelValue,
): Overload {
  return { id, name, member: false, args, result, run: run as unknown as Run };
}

/** Returns an overload of a function that is called as `argument.name()`. */
export function method<Args extends readonly CelValue[]>(
  ids: readonly [string, string],
  signature: Signature,
  run: (...args: Args) => CelValue,
): Overload {
  return { ...func(ids, signature, run), member: true };
}

/** Returns the signature with the given types: the types of the arguments, followed by the type of the result. */
export function takes(...types: readonly CelType[]): Signature {
  const result = types.at(-1);
  if (result === undefined) throw new TypeError('a signature needs a result');
  return { args: types.slice(0, -1), result };
}
