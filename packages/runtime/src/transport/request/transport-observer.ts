import type { StructuralSchema } from '@kubewright/api/schema';

/** A request, as an observer receives it at the start of the request. */
export interface ObservedRequest {
  /** 'GET', 'POST', 'PUT', 'PATCH' or 'DELETE'. */
  readonly verb: string;
  /** The host and the port of the API server. */
  readonly host: string;
  /** The path without the query. */
  readonly path: string;
  /** The query without the question mark. Empty if there is no query. */
  readonly query: string;
  /** A description of the request, such as 'get pod default/web'. */
  readonly attempted: string;
  /** Whether the response is read as a stream, as for watches and for the lists of informers. */
  readonly stream: boolean;
  /** The headers of each attempt. Observers can add headers, such as trace headers. Does not contain the credentials of the connection. */
  readonly headers: Record<string, string | string[]>;
  /** The JSON body, which may contain secrets. To log bodies, use `RequestLog`. */
  readonly body: string | undefined;
  /** The schema of the object, if it is known. */
  readonly schema?: StructuralSchema | undefined;
  /** The size of the body in bytes. 0 if there is no body. */
  readonly requestBytes: number;
}

/** The result of one attempt of a request. */
export interface ObservedAttempt {
  /** The HTTP status code. Undefined if there was no response. */
  readonly code: number | undefined;
  /** The error of an attempt without a response. Undefined if there was a response, even if the response reports an error. */
  readonly error?: unknown;
  /** The time in milliseconds from sending the request to its response. For a stream, to the head of the response. */
  readonly durationMs: number;
  /** The body of the response, which may contain secrets. Undefined for a stream. To log bodies, use `RequestLog`. */
  readonly body?: Uint8Array | undefined;
}

/** The end of a request, after all its attempts. For a stream that cannot be opened, `error` is also set if a response reports an error. */
export interface ObservedEnd extends ObservedAttempt {
  /** The time in milliseconds from the start of the request to its end, including waits. For a stream, to the end of the stream. */
  readonly durationMs: number;
  /** The number of retries. */
  readonly retries: number;
  /** The size of the response body in bytes. For a stream, the number of bytes that were read. */
  readonly responseBytes: number;
}

/** The methods with which an observer receives the progress of one request. */
export interface RequestProgress {
  /** Called after the wait for the request limit of the client. `waitedMs` can be 0. */
  throttled?(waitedMs: number): void;
  /** Called when an attempt ends: when the response or, for a stream, its head has arrived, or when the attempt has failed. */
  answered?(attempt: ObservedAttempt): void;
  /** Called before the delay of a retry. The delay is `waitMs` milliseconds. */
  retried?(attempt: ObservedAttempt, waitMs: number): void;
  /** Called once when the request ends. A stream ends when its body ends, its connection breaks, or the caller closes it. */
  ended?(end: ObservedEnd): void;
}

/** The result of reading a file with certificate authorities again. */
export type CaReload = 'changed' | 'unchanged' | 'empty' | 'unreadable' | 'invalid';

/** A run of a credential plugin. */
export interface PluginRun {
  readonly command: string;
  readonly outcome: 'success' | 'refused-by-policy' | 'not-found' | 'failed' | 'unreadable';
  readonly exitCode?: number;
  readonly durationMs: number;
  /** When the credential expires. Undefined if the plugin did not return an expiry. */
  readonly expiresAt?: Date;
}

/**
 * Observes the requests of a transport, for metrics, traces and logs. Pass observers in the option `observers`. An observer must not throw,
 * because its error would fail the request.
 */
export interface TransportObserver {
  /**
   * Called when a request starts. Can add headers to the request. Returns an object that receives the progress of the request, or
   * undefined.
   */
  request?(request: ObservedRequest): RequestProgress | undefined;
  /** Called after the file with certificate authorities was read again. */
  caReloaded?(outcome: CaReload): void;
  /** Called after each attempt to run a credential plugin, even if the plugin was not found or is not allowed. */
  pluginRan?(run: PluginRun): void;
}
