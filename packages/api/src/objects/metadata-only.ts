import type { KubeObject } from './kube-object.js';

/** The property that identifies objects that were read as metadata only. */
const onlyMetadata: unique symbol = Symbol.for('kubewright.onlyMetadata') as never;

/**
 * An object that was read as metadata only, through `metadataOnly(kind)`. The object can be patched and deleted. The compiler rejects a
 * create or an update of the object, because the other fields would be lost.
 */
export type MetadataOnly<T extends KubeObject = KubeObject> = Pick<T, 'apiVersion' | 'kind' | 'metadata'> & {
  readonly [onlyMetadata]: true;
};

/** Any object except a metadata-only object. */
export interface WholeObject extends KubeObject {
  readonly [onlyMetadata]?: 'cannot create or update an object that was read with metadata only; read the whole object';
}

/** Returns the metadata of an object as a metadata-only object. The result is not frozen yet. */
export function toMetadataOnly<T extends KubeObject>(object: T): MetadataOnly<T> {
  const { apiVersion, kind, metadata } = object;
  return withMetadataOnlySymbol({ apiVersion, kind, metadata }) as unknown as MetadataOnly<T>;
}

/** Whether an object was read as metadata only. Also true for the copies that `mutable` returns. */
export function isMetadataOnly(object: object): boolean {
  return (object as { readonly [onlyMetadata]?: unknown })[onlyMetadata] === true;
}

/** Returns the copy as a metadata-only object if the original is a metadata-only object. */
export function markedAs<T extends object>(original: object, copy: T): T {
  return isMetadataOnly(original) ? withMetadataOnlySymbol(copy) : copy;
}

/** Adds the property that identifies metadata-only objects. The property is not enumerable, so it is neither sent nor compared. */
function withMetadataOnlySymbol<T extends object>(object: T): T {
  return Object.defineProperty(object, onlyMetadata, { value: true });
}
