import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { StructuralSchema } from '@kubewright/api/schema';
import { formatKey } from '../cache/object-key.js';
import { type ResourceInfo, resourcePath } from '../transport/resource-path.js';

/** A kind, where it is served, and what is known of its fields. */
export interface Target {
  readonly kind: KindRef;
  readonly info: ResourceInfo;
  /** Undefined for kinds of which only the name is known. */
  readonly schema: StructuralSchema | undefined;
  readonly builtIn: boolean;
}

/** Throws NAMESPACE_REQUIRED when the kind has namespaces and the key does not name one. */
export function assertPlaced(info: ResourceInfo, key: ObjectKey): void {
  if (info.namespaced && !key.namespace) {
    throw new KubewrightError(
      'NAMESPACE_REQUIRED',
      `${info.kind} '${key.name}': objects of this kind are in namespaces, so say which one`,
    );
  }
}

/** The path of one object. Throws NAMESPACE_REQUIRED as `assertPlaced` does. */
export function objectPath(info: ResourceInfo, key: ObjectKey, subresource?: string): string {
  assertPlaced(info, key);
  return resourcePath(info, { namespace: key.namespace, name: key.name, subresource });
}

/** Throws NAME_REQUIRED for an object that has no name, or shall get one from the server. An empty one is refused as part of a path. */
export function assertNamed(verb: string, { kind, metadata }: KubeObject): void {
  if ((metadata as { readonly name?: string }).name !== undefined) return;
  throw new KubewrightError(
    'NAME_REQUIRED',
    `${verb} a ${kind} without a name: only client.create lets the server make one of generateName; name the object`,
  );
}

/** 'Deployment default/web', for messages. */
export function describe(kind: string, key: ObjectKey): string {
  return `${kind} ${formatKey(key)}`;
}
