import type { IncomingHttpHeaders } from 'node:http';
import type { CertificateUser } from './client-certificates.js';
import type { EncodedAnswer } from './encoded-answer.js';

/**
 * The maximum number of unsent bytes of a watch. If a client reads too slowly, the server breaks the connection at this limit. The client
 * can resume from its last resourceVersion.
 */
export const mostPendingBytes = 64 * 1024 * 1024;

/** A received request, and the way to respond to its client. Independent of the protocol. */
export interface Exchange {
  readonly method: string;
  /** The path with the query, as in the request line. */
  readonly url: string;
  /** The headers by lower-case name. */
  readonly headers: IncomingHttpHeaders;
  /** The names and values of all headers, alternating, in the order of the request. */
  readonly rawHeaders: readonly string[];
  /** Whether the connection can change to another protocol: a connection over HTTP/1.1 whose request has the header `Upgrade`. */
  readonly canUpgrade: boolean;
  /** Returns the user of the client certificate of the connection. */
  certificateUser(): CertificateUser;
  /**
   * Returns the decompressed body. Rejects with 413 for a body above 3 MiB, with 400 for invalid gzip, and with a `SlowBodyError` if the
   * body is not complete after `limitMs` milliseconds. @default limitMs 60,000
   */
  readBody(limitMs: number | undefined): Promise<Uint8Array>;
  /** Returns whether the client has disconnected. */
  isAbandoned(): boolean;
  /** Calls the listener once, when the client disconnects or when the response has ended. */
  onClose(listener: () => void): void;
  /** Sends the response. Resolves when the response is sent; for a stream, resolves when the stream has started. */
  send(answer: EncodedAnswer): Promise<void>;
  /** Breaks the connection to the client. */
  destroy(): void;
}
