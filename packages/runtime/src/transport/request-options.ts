import type { Clock, Duration } from '@kubewright/api/clock';
import type { StructuralSchema } from '@kubewright/api/schema';
import type { Logger } from '../log/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import type { RequestLimit } from './request-limit.js';
import type { TransportObserver } from './transport-observer.js';
import type { WarningHandler } from './warnings.js';
import type { WriteFence } from './write-fence.js';

/** Query parameters; those that are undefined are left out, a list is repeated. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** What every request may say. */
export interface CommonRequestOptions {
  /** From the root of the API server, such as `/api/v1/pods`. */
  readonly path: string;
  readonly query?: Query;
  /** Added to those of the transport, and stronger: with an `authorization` here no credentials are asked for. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Ends the request, or its stream, when aborted. */
  readonly signal?: AbortSignal | undefined;
  /** What was attempted, for the message of an error: 'get pod default/web'. @default method and path */
  readonly attempted?: string;
  /** Gets the headers of the answer, be it a success or not. */
  readonly onHeaders?: ((headers: Readonly<Record<string, string | string[] | undefined>>) => void) | undefined;
  /** Gets the warnings of the server in place of the transport's handler. @default that of the transport */
  readonly onWarning?: WarningHandler | undefined;
}

/** One request that is answered by one JSON document. */
export interface RequestOptions extends CommonRequestOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON; a bigint in it as an integer. Read once: a retry sends the same bytes. */
  readonly body?: unknown;
  /** The schema of the object, by which errors and logs find secret fields. @default none */
  readonly schema?: StructuralSchema | undefined;
  /** @default 'application/json' */
  readonly contentType?: string;
  /** What the answer may be. @default 'application/json' */
  readonly accept?: string;
  /**
   * The time for all of it: the wait for the limit of requests, every attempt and the waits between them. A wait that would end
   * later is not begun. @default that of the transport
   */
  readonly timeout?: Duration | undefined;
  /** Checked for a write besides the fence of the calling work; reads have none. @default none */
  readonly fence?: WriteFence | undefined;
}

/** A request that is answered by a stream of bytes. */
export interface StreamOptions extends CommonRequestOptions {
  /** What the answer may be; one of another type is refused. @default 'application/json' */
  readonly accept?: string;
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
  /** Gets the warnings of the server, each once, and what is told of waits and certificates. @default none */
  readonly logger?: Logger | undefined;
  /** Where a connection that names no proxy finds one. @default the environment of this process */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** @default 'kubewright' with version and platform */
  readonly userAgent?: string;
  /** Connections for single requests. @default 32 */
  readonly maxConnections?: number;
  /** Holds requests back on this side; one object for several transports is shared by them. @default none: the server has its own */
  readonly requestLimit?: RequestLimit | undefined;
  /** The time for a single request that names none. Streams have none. @default none */
  readonly requestTimeout?: Duration | undefined;
  /** Without a byte of an answer for so long, its connection is taken for dead; of a stream, until its head has come. @default '75s' */
  readonly silenceTimeout?: Duration | undefined;
  /** What is done with warnings of the server: each logged once, none, or a function for every one. @default 'log' */
  readonly warnings?: 'log' | 'ignore' | WarningHandler | undefined;
  /** Are told of every request; see `TransportObserver`. @default none */
  readonly observers?: readonly TransportObserver[] | undefined;
}
