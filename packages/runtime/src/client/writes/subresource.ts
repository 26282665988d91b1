import type { KubeObject } from '@kubewright/api';
import type { TokenRequest } from '@kubewright/api/authentication/v1';
import type { Scale } from '@kubewright/api/autoscaling/v1';
import type { Binding } from '@kubewright/api/core/v1';
import type { JsonObject } from '@kubewright/api/json';
import type { Eviction } from '@kubewright/api/policy/v1';
import type { ApplyOptions, PatchOptions, WriteOptions } from '../options/client-options.js';
import type { Patch } from '../bodies/patch.js';

/** The request body that the caller passes. All fields are optional, because the client adds the kind, name and namespace. */
export type SubresourceInit<Body> = Body extends readonly unknown[]
  ? Body
  : Body extends object
    ? { readonly [K in keyof Body]?: SubresourceInit<Body[K]> }
    : Body;

/** The client of one subresource of one object. The server rejects subresources and verbs that it does not support. */
export interface Subresource<Body, Created = Body> {
  /** Returns the current state. */
  get(): Promise<Body>;
  /** Creates the subresource, such as an eviction. Returns the response of the server. */
  create(body: SubresourceInit<Body>, options?: WriteOptions): Promise<Created>;
  /** Replaces the whole subresource. */
  update(body: SubresourceInit<Body>, options?: WriteOptions): Promise<Body>;
  /** Sends the patch unchanged. With `optimistic`, adds the resourceVersion. */
  patch(patch: Patch<Body>, options?: PatchOptions): Promise<Body>;
  /** Applies the body with server-side apply. The API server does not support applying the scale of a custom resource. */
  apply(body: SubresourceInit<Body>, options?: SubresourceApplyOptions): Promise<Body>;
}
/** The options of `apply` for a subresource. `optimistic` compares the version of the object that was passed to `client.subresource`. */
export type SubresourceApplyOptions = WriteOptions & Pick<ApplyOptions, 'force' | 'optimistic'>;

/** The built-in subresources whose body has another kind than the parent object, with the types of the body and of the create response. */
interface OwnBodies {
  readonly scale: Subresource<Scale>;
  readonly eviction: Subresource<Eviction, void>;
  readonly binding: Subresource<Omit<Binding, 'apiVersion' | 'kind' | 'metadata'>, void>;
  readonly token: Subresource<TokenRequest>;
}
/** The built-in subresources whose body is the parent object. */
type PartOfObject = 'status' | 'approval' | 'resize' | 'ephemeralcontainers' | 'finalize';

/** The names of the built-in subresources. Any other string is also valid. */
export type SubresourceName = keyof OwnBodies | PartOfObject | (string & {});

/** The type that `client.subresource(object, name)` returns. For an unknown name, the body is any JSON object. */
export type SubresourceOf<T extends KubeObject, Name extends string> = Name extends keyof OwnBodies
  ? OwnBodies[Name]
  : Name extends PartOfObject
    ? Subresource<T>
    : Subresource<JsonObject>;
