import type { User } from '../registry/requests/user.js';

/**
 * An authenticated request with its complete body, which the server passes to a handler. The request is independent of the HTTP version.
 */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  readonly user: User;
  /** The user that the request impersonates. */
  readonly impersonate?: User;
  /** The texts of the `Warning` headers of the response. Handlers add warnings to this array. */
  readonly warnings: string[];
  /** The time of the monotonic clock at which the request times out, in milliseconds. @default no timeout */
  readonly deadlineMs?: number;
  /** Whether a planned fault requires that a list or the initial objects of a watch are sent in reverse order. @default false */
  readonly isReversed?: boolean;
  /** Whether the connection of the request can change to another protocol. @default false */
  readonly canUpgrade?: boolean;
  /** Returns whether the client has disconnected. */
  isAbandoned(): boolean;
  /** Returns the signal that is aborted, with an ApiError, when the client disconnects and when the request times out. */
  readonly signal: () => AbortSignal;
}
