import type { KubeObject } from './kube-object.js';

/** Marks objects of which only the metadata was read. */
const onlyMetadata: unique symbol = Symbol.for('kubewright.onlyMetadata') as never;

/**
 * An object of which only the metadata was read, through `metadataOnly(kind)`. It may be patched and deleted; creating or updating it
 * would lose the rest, and does not compile.
 */
export type MetadataOnly<T extends KubeObject = KubeObject> = Pick<T, 'apiVersion' | 'kind' | 'metadata'> & {
  readonly [onlyMetadata]: true;
};

/** Any object but one of which only the metadata was read. */
export interface WholeObject extends KubeObject {
  readonly [onlyMetadata]?: 'read the whole object to create or update it: this has only its metadata';
}

/** The metadata of an object, marked as such. Not frozen yet. */
export function toMetadataOnly<T extends KubeObject>(object: T): MetadataOnly<T> {
  const { apiVersion, kind, metadata } = object;
  return withMark({ apiVersion, kind, metadata }) as unknown as MetadataOnly<T>;
}

/** Whether only the metadata of an object was read; so it is for the copies that `mutable` makes. */
export function isMetadataOnly(object: object): boolean {
  return (object as { readonly [onlyMetadata]?: unknown })[onlyMetadata] === true;
}

/** The copy, marked if the original is. */
export function markedAs<T extends object>(original: object, copy: T): T {
  return isMetadataOnly(original) ? withMark(copy) : copy;
}

/** Not enumerable, so that it is neither sent nor compared. */
function withMark<T extends object>(object: T): T {
  return Object.defineProperty(object, onlyMetadata, { value: true });
}
