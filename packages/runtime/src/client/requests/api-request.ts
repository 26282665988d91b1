import type { RequestOptions } from '../../transport/request/request-options.js';
import type { Target } from './target.js';

/** A request for one object or a collection, and the RBAC permissions that the request needs. */
export interface ApiRequest extends Pick<RequestOptions, 'method' | 'query' | 'body' | 'contentType' | 'accept'> {
  readonly target: Target;
  /** The key of the object. If `name` is undefined, the request is for the collection. For POST, the object does not exist yet. */
  readonly at: { readonly namespace?: string | undefined; readonly name?: string };
  readonly subresource?: string | undefined;
  /** The RBAC verbs that the request needs. */
  readonly verbs: readonly string[];
  readonly attempted: string;
}
