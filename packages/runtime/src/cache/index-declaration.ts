import type { KindRef, KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';

declare const matched: unique symbol;
/** Where an index keeps what it was declared with. */
const declaration: unique symbol = Symbol('kubewright.index');

/** The values under which an index holds an object; none for undefined. */
export type IndexValues<T> = (object: T) => string | readonly string[] | undefined;

/** One value of an index, for `ListOptions.index`. */
export interface IndexMatch<T> {
  readonly [matched]?: (object: T) => void;
  readonly name: string;
  readonly value: string;
}
/** An index: call it with a value to look that value up. */
export interface Index<T extends KubeObject> {
  (value: string): IndexMatch<T>;
  readonly name: string;
}
/**
 * Declares an index. It is there in every controller that lists it under `indexes`; declaring it twice is one index.
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

/** What an index was declared with. */
export interface IndexDeclaration<T extends KubeObject> {
  readonly kind: KindRef<T>;
  readonly values: IndexValues<T>;
}

/** What this index was declared with. */
export function declarationOf<T extends KubeObject>(of: Index<T>): IndexDeclaration<T> {
  return (of as Index<T> & { readonly [declaration]: IndexDeclaration<T> })[declaration];
}

/** Whether this was made by `index`. */
export function isIndex(value: unknown): value is Index<KubeObject> {
  return typeof value === 'function' && declaration in value;
}

/** The error of a look-up in an index that is not among those that there are. */
export function unknownIndex(name: string, known: readonly string[]): KubewrightError {
  const there = known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`;
  return new KubewrightError(
    'UNKNOWN_INDEX',
    `no index is called '${name}' (${there}): list it under 'indexes' of the controller or of cache.informer()`,
  );
}
