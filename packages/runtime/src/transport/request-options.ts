import type { Clock } from '@kubewright/api/clock';
import type { Logger } from '../log/logger.js';
import type { Metrics } from '../metrics/metrics.js';

/** Query parameters; those that are undefined are left out, a list is repeated. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** One request that is answered by one JSON document. */
export interface RequestOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the root of the API server, such as `/api/v1/pods`. */
  readonly path: string;
  readonly query?: Query;
  /** Sent as JSON; a bigint in it as an integer. */
  readonly body?: unknown;
  /** @default 'application/json' */
  readonly contentType?: string;
  /** What may be answered. @default 'application/json' */
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
  /** What was attempted, for the message of an error: 'get pod default/web'. @default method and path */
  readonly attempted?: string;
  /** Gets the warnings of this answer, in place of the log. */
  readonly onWarning?: ((warning: string) => void) | undefined;
}

/** A request that is answered by a stream of bytes. */
export interface StreamOptions {
  readonly path: string;
  readonly query?: Query;
  /** What may be answered. @default 'application/json' */
  readonly accept?: string;
  /** Destroys the stream when aborted. */
  readonly signal?: AbortSignal | undefined;
  /** What was attempted, for the message of an error. @default the path */
  readonly attempted?: string;
}

/** The body of an answer as it arrives. Bytes that nobody reads hold the sender back. Ends silently at the end of the body, throws when cut. */
export interface ByteStream extends AsyncIterable<Buffer> {
  readonly contentType: string;
  /** Ends the request; does nothing when it has ended. */
  close(): void;
}

export interface TransportOptions {
  /** Where requests are counted. @default nowhere */
  readonly metrics?: Metrics | undefined;
  /** @default the time of this machine */
  readonly clock?: Clock;
  /** Gets the warnings of the server, each once. @default none */
  readonly logger?: Logger | undefined;
  /** @default 'kubewright' with version and platform */
  readonly userAgent?: string;
  /** Connections for single requests. @default 32 */
  readonly maxConnections?: number;
}
