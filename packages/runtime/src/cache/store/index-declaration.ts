import type { KindRef, KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';

declare const matched: unique symbol;
/** The property of an index that contains its declaration. */
const declaration: unique symbol = Symbol('kubewright.index');

/** Returns the values under which an index contains an object. Undefined excludes the object from the index. */
export type IndexValues<T> = (object: T) => string | readonly string[] | undefined;

/** A value of an index to look up, for `ListOptions.index`. */
export interface IndexMatch<T> {
  readonly [matched]?: (object: T) => void;
  readonly name: string;
  readonly value: string;
}
/** An index of objects by values. Call the index with a value to get an `IndexMatch` for this value. */
export interface Index<T extends KubeObject> {
  (value: string): IndexMatch<T>;
  readonly name: string;
}
/**
 * Declares an index of the objects of a kind. `values` returns the values of an object. To use the index in a controller, list it under
 * `indexes`. Two declarations with the same name and function share one index.
 *
 * @example
 * const machinesByPool = index(Machine, 'pool', (machine) => machine.spec.pool);
 * @Controller({ for: Machine, indexes: [machinesByPool] })
 * // …
 * const machines = await client.list(Machine, { index: machinesByPool('gpu') });
 */
export function index<T extends KubeObject>(kind: KindRef<T>, name: string, values: IndexValues<T>): Index<T> {
  const lookup = (value: string): IndexMatch<T> => ({ name, value });
  Object.defineProperty(lookup, 'name', { value: name });
  Object.defineProperty(lookup, declaration, { value: { kind, values } });
  return lookup;
}

/** The content of an index: its kind, and the function that returns the values of an object. */
export interface IndexDeclaration<T extends KubeObject> {
  readonly kind: KindRef<T>;
  readonly values: IndexValues<T>;
}

/** Returns the declaration of an index. */
export function declarationOf<T extends KubeObject>(of: Index<T>): IndexDeclaration<T> {
  return (of as Index<T> & { readonly [declaration]: IndexDeclaration<T> })[declaration];
}

/** Whether a value is an index, created by `index`. */
export function isIndex(value: unknown): value is Index<KubeObject> {
  return typeof value === 'function' && declaration in value;
}

/** Returns the error for a lookup in an index that does not exist. */
export function unknownIndex(name: string, known: readonly string[]): KubewrightError {
  const there = known.length === 0 ? 'no indexes are declared' : `declared indexes: ${known.join(', ')}`;
  return new KubewrightError(
    'UNKNOWN_INDEX',
    `unknown index '${name}' (${there}): list it under 'indexes' of the controller or of cache.informer()`,
  );
}
