import type { Clock, Duration } from '@kubewright/api/clock';
import type { StructuralSchema } from '@kubewright/api/schema';
import type { Logger } from '../../log/logger.js';
import type { Metrics } from '../../metrics/metrics.js';
import type { RequestLimit } from './request-limit.js';
import type { TransportObserver } from './transport-observer.js';
import type { WarningHandler } from './warnings.js';
import type { WriteFence } from './write-fence.js';

/** Query parameters. Undefined parameters are omitted; a list repeats its parameter. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** The options of every request. */
export interface CommonRequestOptions {
  /** The path from the root of the API server, such as `/api/v1/pods`. */
  readonly path: string;
  readonly query?: Query;
  /**
   * Additional headers, which take precedence over the headers of the transport. With an `authorization` header, the transport requests no
   * credentials.
   */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Ends the request, or its stream, when aborted. */
  readonly signal?: AbortSignal | undefined;
  /** A description of the request for error messages, such as 'get pod default/web'. @default method and path */
  readonly attempted?: string;
  /** Receives the headers of each answer, successful or not. */
  readonly onHeaders?: ((headers: Readonly<Record<string, string | string[] | undefined>>) => void) | undefined;
  /** Receives the warnings of the server instead of the transport's handler. @default the handler of the transport */
  readonly onWarning?: WarningHandler | undefined;
}

/** One request with a JSON document as the answer. */
export interface RequestOptions extends CommonRequestOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON; a bigint is sent as an integer. Serialized once: a retry sends the same bytes. */
  readonly body?: unknown;
  /** The schema of the object. Errors and logs use the schema to mask secret fields. @default none */
  readonly schema?: StructuralSchema | undefined;
  /** @default 'application/json' */
  readonly contentType?: string;
  /** The accepted media types. @default 'application/json' */
  readonly accept?: string;
  /**
   * The time limit for the whole request: the wait for the request limit, every attempt and the delays between attempts. A wait that would
   * exceed the limit is not started. @default the timeout of the transport
   */
  readonly timeout?: Duration | undefined;
  /** A fence that is checked for writes in addition to the fence of the calling runnable. Reads ignore fences. @default none */
  readonly fence?: WriteFence | undefined;
}

/** A request with a stream of bytes as the answer. */
export interface StreamOptions extends CommonRequestOptions {
  /** The accepted media type; an answer of another type is rejected. @default 'application/json' */
  readonly accept?: string;
}

/**
 * The body of an answer as the bytes arrive. Unread bytes apply back-pressure to the sender. Ends at the end of the body and throws if the
 * connection breaks.
 */
export interface ByteStream extends AsyncIterable<Buffer> {
  readonly contentType: string;
  /** Ends the request. Does nothing if the request has already ended. */
  close(): void;
}

export interface TransportOptions {
  /** The registry for the request metrics. @default none */
  readonly metrics?: Metrics | undefined;
  /** @default the system clock */
  readonly clock?: Clock;
  /** Logs each warning of the server once, and messages about waits and certificates. @default none */
  readonly logger?: Logger | undefined;
  /** The environment that names the proxy of a connection without one. @default the environment of this process */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** @default 'kubewright' with version and platform */
  readonly userAgent?: string;
  /** The most connections for single requests. @default 32 */
  readonly maxConnections?: number;
  /** Limits the requests on the client side. Several transports can share one object. @default none: the server has its own limits */
  readonly requestLimit?: RequestLimit | undefined;
  /** The timeout of a single request that does not set its own timeout. Streams have unlimited time. @default none */
  readonly requestTimeout?: Duration | undefined;
  /**
   * If no byte of an answer arrives for this duration, the connection is considered dead. For a stream, applies until the head of the
   * answer arrives. @default '75s'
   */
  readonly silenceTimeout?: Duration | undefined;
  /** How to handle warnings of the server: log each once, ignore them, or call a function for each. @default 'log' */
  readonly warnings?: 'log' | 'ignore' | WarningHandler | undefined;
  /** Notified of every request; see `TransportObserver`. @default none */
  readonly observers?: readonly TransportObserver[] | undefined;
}
