import { dynamicKind, type KindRef, type KubeObject, type ObjectKey } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf, kindRefOf, objectSchemaOf } from '@kubewright/api/metadata';
import type { StructuralSchema } from '@kubewright/api/schema';
import type { Discovery } from '../transport/discovery.js';
import { type ResourceInfo, resourcePath } from '../transport/resource-path.js';

/** A kind, where it is served, and what is known of its fields. */
export interface Target {
  readonly kind: KindRef;
  readonly info: ResourceInfo;
  /** Undefined for kinds of which only the name is known. */
  readonly schema: StructuralSchema | undefined;
  readonly builtIn: boolean;
}

/** Finds out where a kind is served; asks the server only for kinds of which just the name is known. */
export async function targetOf(discovery: Discovery, kind: KindRef): Promise<Target> {
  const info = await discovery.resolve(kind);
  return { kind, info, schema: objectSchemaOf(kind), builtIn: kindOf(kind).builtIn };
}

/** The kind that an object says it has. */
export function kindOfObject(object: KubeObject): KindRef {
  return kindRefOf(object) ?? dynamicKind(object.apiVersion, object.kind);
}

/** The path of one object. Throws NAMESPACE_REQUIRED when the kind has namespaces and the key does not name one. */
export function objectPath(info: ResourceInfo, key: ObjectKey, subresource?: string): string {
  if (info.namespaced && !key.namespace) {
    throw new KubewrightError(
      'NAMESPACE_REQUIRED',
      `${info.kind} '${key.name}': objects of this kind are in namespaces, so say which one`,
    );
  }
  return resourcePath(info, { namespace: key.namespace, name: key.name, subresource });
}

/** 'Deployment default/web', for messages. */
export function describe(kind: string, key: ObjectKey): string {
  return key.namespace ? `${kind} ${key.namespace}/${key.name}` : `${kind} ${key.name}`;
}

/** A text by which kinds are told apart. */
export function kindName(kind: KindRef): string {
  const { apiVersion, kind: name } = kindOf(kind);
  return `${apiVersion}/${name}`;
}
