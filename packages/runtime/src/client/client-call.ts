import type { KubeObject } from '@kubewright/api';

/** What a client was asked to do. A subresource is told apart by its name. */
export type ClientVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deleteAll';

/** One call of a client, before it is carried out. */
export interface ClientCall {
  /**
   * `find` is a get, `pages` and `listOwned` are lists, `patchStatus` is a patch of the subresource 'status', and `createOrPatch` is a
   * get and then what comes of it, each a call of its own.
   */
  readonly verb: ClientVerb;
  readonly apiVersion: string;
  readonly kind: string;
  readonly subresource?: string;
  readonly namespace?: string | undefined;
  /** Absent where a call is about many objects. */
  readonly name?: string;
  /** What was passed to a write: the object, or the body of a subresource. */
  readonly object?: object;
  /** The options of the call, as they were passed. */
  readonly options?: object | undefined;
}

/**
 * Stands around every call of a client: may look at it, wait, fail it, or answer in its place; `next` carries it out and gives its
 * answer. What `applyOwned` does to each child comes by as a call of its own.
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

/** Both, the first one outside. */
export function nested(outer: Interceptor | undefined, inner: Interceptor | undefined): Interceptor | undefined {
  if (outer === undefined || inner === undefined) return outer ?? inner;
  return (call, next) => outer(call, () => inner(call, next));
}

/** A call about an object. */
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
