import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { StructuralSchema } from '@kubewright/api/schema';
import { formatKey } from '../../cache/store/object-key.js';
import { type ResourceInfo, resourcePath } from '../../transport/request/resource-path.js';

/** A kind, its API resource, and its schema. Requests and comparisons of objects need all three. */
export interface Target {
  readonly kind: KindRef;
  readonly info: ResourceInfo;
  /** The schema of the kind. Undefined if only the name of the kind is known. */
  readonly schema: StructuralSchema | undefined;
  readonly builtIn: boolean;
}

/** Throws NAMESPACE_REQUIRED if the kind is namespaced and the key has no namespace. */
export function assertPlaced(info: ResourceInfo, key: ObjectKey): void {
  if (info.namespaced && !key.namespace) {
    throw new KubewrightError(
      'NAMESPACE_REQUIRED',
      `${info.kind} '${key.name}': objects of this kind are namespaced; specify a namespace`,
    );
  }
}

/** Returns the URL path of one object. Throws NAMESPACE_REQUIRED, as `assertPlaced` does. */
export function objectPath(info: ResourceInfo, key: ObjectKey, subresource?: string): string {
  assertPlaced(info, key);
  return resourcePath(info, { namespace: key.namespace, name: key.name, subresource });
}

/**
 * Throws NAME_REQUIRED for an object without a name. This includes an object with `generateName`, because only a create can generate a
 * name. Does not check for an empty name, which `objectPath` rejects.
 */
export function assertNamed(verb: string, { kind, metadata }: KubeObject): void {
  if ((metadata as { readonly name?: string }).name !== undefined) return;
  throw new KubewrightError(
    'NAME_REQUIRED',
    `cannot ${verb} a ${kind} without a name: only client.create supports generateName; specify a name`,
  );
}

/** Returns text such as 'Deployment default/web' for messages. */
export function describe(kind: string, key: ObjectKey): string {
  return `${kind} ${formatKey(key)}`;
}
