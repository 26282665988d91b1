import type { User } from '../registry/user.js';

/** A request as handlers see it: authenticated, its body read, no trace of the HTTP version. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  readonly user: User;
  /** Whom the user wants to act as. */
  readonly impersonate?: User;
  /** Sentences that the answer carries as `Warning` headers, whatever it is; whoever carries the request out adds to it. */
  readonly warnings: string[];
  /** Whether nobody waits for the answer any more. */
  isAbandoned(): boolean;
}
