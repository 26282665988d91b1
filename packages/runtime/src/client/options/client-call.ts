import type { KubeObject } from '@kubewright/api';

/** The operation of a client call. A call for a subresource has the same verb, and `subresource` is set. */
export type ClientVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deleteAll';

/** One client call, as an interceptor receives it. */
export interface ClientCall {
  /**
   * The operation. `find` is a get. `pages` and `listOwned` are lists. `patchStatus` is a patch of the subresource 'status'.
   * `createOrPatch` is a get, followed by a separate call for each write.
   */
  readonly verb: ClientVerb;
  readonly apiVersion: string;
  readonly kind: string;
  readonly subresource?: string;
  readonly namespace?: string | undefined;
  /** The name of the object. Undefined for calls that affect many objects, and for a create with `generateName`. */
  readonly name?: string;
  /** The argument of a write: the object, or the body of a subresource. */
  readonly object?: object;
  /** The options of the call, unchanged. */
  readonly options?: object | undefined;
}

/**
 * Wraps every call of a client. An interceptor can inspect the call, delay the call, throw an error, or return a result of its own. `next`
 * executes the call and returns the result. `applyOwned` results in a separate call for each child that is applied or deleted, and for each
 * list of children.
 *
 * @example
 * const flaky = client.with({
 *   intercept: (call, next) => {
 *     if (call.verb === 'create' && call.kind === 'Pod') throw new Error('simulated failure');
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

/** Returns the `ClientCall` for a write of one object. */
export function callOn(
  verb: ClientVerb,
  object: KubeObject,
  more: Pick<ClientCall, 'subresource' | 'options'> & { readonly body?: object } = {},
): ClientCall {
  const { body = object, subresource, options } = more;
  const { apiVersion, kind, metadata } = object;
  const { name, namespace } = metadata;
  return subresource === undefined
    ? { verb, apiVersion, kind, namespace, name, object: body, options }
    : { verb, apiVersion, kind, subresource, namespace, name, object: body, options };
}
