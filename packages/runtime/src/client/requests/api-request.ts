import type { RequestOptions } from '../../transport/request/request-options.js';
import type { Target } from './target.js';

/** One request about an object or a collection, and the permissions that the request needs. */
export interface ApiRequest extends Pick<RequestOptions, 'method' | 'query' | 'body' | 'contentType' | 'accept'> {
  readonly target: Target;
  /** The object, or the collection if `name` is undefined. For POST, the object does not exist yet. */
  readonly at: { readonly namespace?: string | undefined; readonly name?: string };
  readonly subresource?: string | undefined;
  /** The RBAC verbs that the request needs. */
  readonly verbs: readonly string[];
  readonly attempted: string;
}
