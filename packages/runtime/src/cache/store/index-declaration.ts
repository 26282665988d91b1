import type { KindRef, KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';

declare const matched: unique symbol;
/** The property of an index that contains its declaration. */
const declaration: unique symbol = Symbol('kubewright.index');

/** Returns the index values of an object. Undefined excludes the object from the index. */
export type IndexValues<T> = (object: T) => string | readonly string[] | undefined;

/** One value of an index, for `ListOptions.index`. */
export interface IndexMatch<T> {
  readonly [matched]?: (object: T) => void;
  readonly name: string;
  readonly value: string;
}
/** An index. Call the index with a value to create a lookup of this value. */
export interface Index<T extends KubeObject> {
  (value: string): IndexMatch<T>;
  readonly name: string;
}
/**
 * Declares an index. A controller can use the index if it lists the index under `indexes`. Declaring the same index twice creates one
 * index.
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

/** The declaration of an index: its kind and the function that returns its values. */
export interface IndexDeclaration<T extends KubeObject> {
  readonly kind: KindRef<T>;
  readonly values: IndexValues<T>;
}

/** Returns the declaration of an index. */
export function declarationOf<T extends KubeObject>(of: Index<T>): IndexDeclaration<T> {
  return (of as Index<T> & { readonly [declaration]: IndexDeclaration<T> })[declaration];
}

/** Whether a value was created by `index`. */
export function isIndex(value: unknown): value is Index<KubeObject> {
  return typeof value === 'function' && declaration in value;
}

/** Returns the error for a lookup in an unknown index. */
export function unknownIndex(name: string, known: readonly string[]): KubewrightError {
  const there = known.length === 0 ? 'no indexes are declared' : `declared indexes: ${known.join(', ')}`;
  return new KubewrightError(
    'UNKNOWN_INDEX',
    `unknown index '${name}' (${there}): list it under 'indexes' of the controller or of cache.informer()`,
  );
}
