import type { KubeObject } from '@kubewright/api';
import type { TokenRequest } from '@kubewright/api/authentication/v1';
import type { Scale } from '@kubewright/api/autoscaling/v1';
import type { Binding } from '@kubewright/api/core/v1';
import type { JsonObject } from '@kubewright/api/json';
import type { Eviction } from '@kubewright/api/policy/v1';
import type { ApplyOptions, PatchOptions, WriteOptions } from './client-options.js';
import type { Patch } from './patch.js';

/** The part of a body that has to be written; what names the object is filled in. */
export type SubresourceInit<Body> = Body extends readonly unknown[]
  ? Body
  : Body extends object
    ? { readonly [K in keyof Body]?: SubresourceInit<Body[K]> }
    : Body;

/** One subresource of one object. What the server does not serve there is its error. */
export interface Subresource<Body, Created = Body> {
  /** As it is now. */
  get(): Promise<Body>;
  /** Sends it as new, such as an eviction; resolves with what the server makes of it. */
  create(body: SubresourceInit<Body>, options?: WriteOptions): Promise<Created>;
  /** Replaces it whole. */
  update(body: SubresourceInit<Body>, options?: WriteOptions): Promise<Body>;
  /** Sends the patch as it is. */
  patch(patch: Patch<Body>, options?: PatchOptions): Promise<Body>;
  /** Server-side apply. The scale of kinds of your own cannot be applied: the API server has no way to. */
  apply(body: SubresourceInit<Body>, options?: SubresourceApplyOptions): Promise<Body>;
}
/** Of the object: `optimistic` is about the version that the one passed to `client.subresource` has. */
export type SubresourceApplyOptions = WriteOptions & Pick<ApplyOptions, 'force' | 'optimistic'>;

/** The subresources of Kubernetes whose body is another object: what it is, and what creating one gives. */
interface OwnBodies {
  readonly scale: Subresource<Scale>;
  readonly eviction: Subresource<Eviction, void>;
  readonly binding: Subresource<Omit<Binding, 'apiVersion' | 'kind' | 'metadata'>, void>;
  readonly token: Subresource<TokenRequest>;
}
/** Those whose body is the object itself. */
type PartOfObject = 'status' | 'approval' | 'resize' | 'ephemeralcontainers' | 'finalize';

/** The names of subresources that are known; others may be passed all the same. */
export type SubresourceName = keyof OwnBodies | PartOfObject | (string & {});

/** What `client.subresource(object, name)` gives. Of names that are not known the body is any JSON object. */
export type SubresourceOf<T extends KubeObject, Name extends string> = Name extends keyof OwnBodies
  ? OwnBodies[Name]
  : Name extends PartOfObject
    ? Subresource<T>
    : Subresource<JsonObject>;
