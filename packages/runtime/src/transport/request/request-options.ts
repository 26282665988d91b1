import type { Clock, Duration } from '@kubewright/api/clock';
import type { StructuralSchema } from '@kubewright/api/schema';
import type { Logger } from '../../log/logger.js';
import type { Metrics } from '../../metrics/metrics.js';
import type { AbortSource } from '../../waiting/abort-source.js';
import type { RequestLimit } from './request-limit.js';
import type { TransportObserver } from './transport-observer.js';
import type { WarningHandler } from './warnings.js';
import type { WriteFence } from './write-fence.js';

/** The query parameters of a request. Undefined parameters are omitted, and a parameter with a list is repeated for each item. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** The options that requests and streams have in common. */
export interface CommonRequestOptions {
  /** The path of the request, such as `/api/v1/pods`. */
  readonly path: string;
  readonly query?: Query | undefined;
  /**
   * Additional headers. They take precedence over headers of the transport. If `authorization` is set, the transport does not get
   * credentials.
   */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** A description of the request for error messages, such as 'get pod default/web'. @default method and path */
  readonly attempted?: string;
  /** Decodes a protobuf body: a response, or the Status of an error. @default protobuf bodies are invalid */
  readonly decode?: ((body: Buffer) => unknown) | undefined;
  /** Called with the headers of the last response, even if the response reports an error. */
  readonly onHeaders?: ((headers: Readonly<Record<string, string | string[] | undefined>>) => void) | undefined;
  /**
   * Receives the warnings in the last response. Replaces the handler of the transport for this request. @default the handler of the
   * transport
   */
  readonly onWarning?: WarningHandler | undefined;
}

/** The options of a request whose response is read completely: JSON, or protobuf if `decode` is set. */
export interface RequestOptions extends CommonRequestOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Aborts the request. Usually an `AbortSignal`. */
  readonly signal?: AbortSource | undefined;
  /** The body, which is sent as JSON. A bigint is sent as an integer. The body is serialized once, so that a retry sends the same bytes. */
  readonly body?: unknown;
  /** The schema of the object, with which errors and logs mask secret fields. @default none */
  readonly schema?: StructuralSchema | undefined;
  /** The media type of the body. @default 'application/json' */
  readonly contentType?: string | undefined;
  /** The accepted media types of the response. @default 'application/json' */
  readonly accept?: string | undefined;
  /**
   * The time limit of the whole request, including the wait for the request limit, all attempts and the delays between them. If a delay
   * would exceed the limit, the request fails immediately. @default the timeout of the transport
   */
  readonly timeout?: Duration | undefined;
  /**
   * Checks before each attempt of a write whether the write is still allowed, in addition to the fence that `withFence` has set for the
   * caller. Not called for reads. @default none
   */
  readonly fence?: WriteFence | undefined;
}

/** The options of a request whose response is a stream of bytes. */
export interface StreamOptions extends CommonRequestOptions {
  /** Aborts the request, or closes its stream. */
  readonly signal?: AbortSignal | undefined;
  /** The accepted media types. A response with another media type is rejected. @default 'application/json' */
  readonly accept?: string | undefined;
}

/**
 * The body of a response as a stream. If the caller does not read, back-pressure stops the server. The iteration ends at the end of the
 * body, and throws if the connection breaks.
 */
export interface ByteStream extends AsyncIterable<Buffer> {
  readonly contentType: string;
  /** Closes the stream. Does nothing if the stream has already ended. */
  close(): void;
}

export interface TransportOptions {
  /** Whether built-in kinds are read as protobuf. @default true */
  readonly protobuf?: boolean | undefined;
  /** The registry to which request metrics are added. @default none */
  readonly metrics?: Metrics | undefined;
  /** The clock for timeouts and delays. @default the system clock */
  readonly clock?: Clock;
  /**
   * Logs warnings of the server (each once), outages of the server, waits for the request limit, reloads of certificate authorities, and
   * the proxy. @default none
   */
  readonly logger?: Logger | undefined;
  /** The environment variables from which the proxy is read if the connection has none. @default the environment of this process */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The User-Agent header. @default 'kubewright' with version and platform */
  readonly userAgent?: string;
  /**
   * The maximum number of single requests that are sent at the same time. Over HTTP/1.1, each of them has its own connection. Over HTTP/2,
   * they share a connection. @default 32
   */
  readonly maxConnections?: number;
  /** The client-side rate limit. Several transports can share one limit. @default none: the server has its own limits */
  readonly requestLimit?: RequestLimit | undefined;
  /** The default timeout of single requests. Streams have no timeout. @default none */
  readonly requestTimeout?: Duration | undefined;
  /**
   * The time without a received byte after which a connection is considered broken. For a stream, this timeout applies only until the head
   * of the response arrives. @default '75s'
   */
  readonly silenceTimeout?: Duration | undefined;
  /**
   * Specifies whether the transport logs each warning of the server once, ignores warnings, or passes warnings to a function. @default
   * 'log'
   */
  readonly warnings?: 'log' | 'ignore' | WarningHandler | undefined;
  /** Observers that are notified of every request. See `TransportObserver`. @default none */
  readonly observers?: readonly TransportObserver[] | undefined;
}
