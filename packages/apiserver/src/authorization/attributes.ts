import type { User } from '../registry/user.js';

/** What somebody wants to do with a resource. */
export interface ResourceAttributes {
  readonly kind: 'resource';
  readonly user: User;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** '' for the resource itself. */
  readonly subresource: string;
  /** '' for the cluster scope and for all namespaces. */
  readonly namespace: string;
  /** '' where no single object is named. */
  readonly name: string;
}

/** What somebody wants to do with a path that is no resource. */
export interface PathAttributes {
  readonly kind: 'path';
  readonly user: User;
  /** The HTTP method in lower case. */
  readonly verb: string;
  readonly path: string;
}

/** One question to the authorizer. */
export type Attributes = ResourceAttributes | PathAttributes;
