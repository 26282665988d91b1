import type { KubeObject } from '@kubewright/api';

/** The operation of a client call. A call of a subresource has the same verb and a `subresource`. */
export type ClientVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deleteAll';

/** One call of a client, before the client executes it. */
export interface ClientCall {
  /**
   * `find` is a get, `pages` and `listOwned` are lists, and `patchStatus` is a patch of the subresource 'status'. `createOrPatch` is a get,
   * followed by separate calls for the writes.
   */
  readonly verb: ClientVerb;
  readonly apiVersion: string;
  readonly kind: string;
  readonly subresource?: string;
  readonly namespace?: string | undefined;
  /** Undefined for calls about many objects, and for a create with `generateName`. */
  readonly name?: string;
  /** The argument of a write: the object, or the body of a subresource. */
  readonly object?: object;
  /** The options of the call, unchanged. */
  readonly options?: object | undefined;
}

/**
 * Wraps every call of a client. An interceptor can inspect the call, delay it, fail it, or return its own answer. `next` executes the call
 * and returns the answer. `applyOwned` causes a separate call for each child.
 *
 * @example
 * const flaky = client.with({
 *   intercept: (call, next) => {
 *     if (call.verb === 'create' && call.kind === 'Pod') throw new Error('no pods today');
 *     return next();
 *   },
 * });
 */
export type Interceptor = (call: ClientCall, next: () => Promise<unknown>) => Promise<unknown>;

/** Combines two interceptors. The first interceptor wraps the second. */
export function nested(outer: Interceptor | undefined, inner: Interceptor | undefined): Interceptor | undefined {
  if (outer === undefined || inner === undefined) return outer ?? inner;
  return (call, next) => outer(call, () => inner(call, next));
}

/** Returns the call for an operation on an object. */
export function callOn(
  verb: ClientVerb,
  object: KubeObject,
  more: Pick<ClientCall, 'subresource' | 'options'> & { readonly body?: object } = {},
): ClientCall {
  const { body = object, subresource, options } = more;
  const { apiVersion, kind, metadata } = object;
  const { name, namespace } = metadata;
  const call = { verb, apiVersion, kind, namespace, name, object: body, options };
  return subresource === undefined ? call : { ...call, subresource };
}
