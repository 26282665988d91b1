import type { StructuralSchema } from '@kubewright/api/schema';

/** A request at its start. */
export interface ObservedRequest {
  /** 'GET', 'POST', 'PUT', 'PATCH' or 'DELETE'. */
  readonly verb: string;
  /** Host and port of the API server. */
  readonly host: string;
  /** The path without the query. */
  readonly path: string;
  /** The query without the question mark; empty if there is no query. */
  readonly query: string;
  /** A description of the request, such as 'get pod default/web'. */
  readonly attempted: string;
  /** Whether the answer is read as a stream, as the answers of lists and watches are. */
  readonly stream: boolean;
  /** The headers of each attempt, such as trace headers. Never contains credentials. */
  readonly headers: Record<string, string | string[]>;
  /** The JSON body, which may contain secrets. For logs, use `RequestLog`. */
  readonly body: string | undefined;
  /** The schema of the object, if known. */
  readonly schema?: StructuralSchema | undefined;
  /** The size of the body; 0 without a body. */
  readonly requestBytes: number;
}

/** One attempt, with or without an answer. */
export interface ObservedAttempt {
  /** The HTTP status; undefined without an answer. */
  readonly code: number | undefined;
  /** The error of the attempt, if any. */
  readonly error?: unknown;
  /** The time from sending the request until its answer or, for a stream, the head of the answer. */
  readonly durationMs: number;
  /** The body of the answer to a single request, which may contain secrets. For logs, use `RequestLog`. */
  readonly body?: Uint8Array | undefined;
}

/** The result of a request, after all its attempts. */
export interface ObservedEnd extends ObservedAttempt {
  /** The time from the start of the request, including waits, to its end or, for a stream, the end of the stream. */
  readonly durationMs: number;
  /** The number of retries. */
  readonly retries: number;
  /** The size of the body; for a stream, the number of bytes read. */
  readonly responseBytes: number;
}

/** Receives the progress of one request. */
export interface RequestProgress {
  /** Called after the wait for the client's request limit; `waitedMs` may be 0. */
  throttled?(waitedMs: number): void;
  /** Called when an attempt ends: the answer or its head has arrived, or the attempt failed. */
  answered?(attempt: ObservedAttempt): void;
  /** Called before a retry; the retry starts after `waitMs`. */
  retried?(attempt: ObservedAttempt, waitMs: number): void;
  /** Called once when the request ends. A stream ends when its body ends, breaks or is closed. */
  ended?(end: ObservedEnd): void;
}

/** The result of reading a file of certificate authorities again. */
export type CaReload = 'changed' | 'unchanged' | 'empty' | 'unreadable' | 'invalid';

/** The result of running a credential plugin. */
export interface PluginRun {
  readonly command: string;
  readonly outcome: 'success' | 'refused-by-policy' | 'not-found' | 'failed' | 'unreadable';
  readonly exitCode?: number;
  readonly durationMs: number;
  /** The expiry of the credential, if the plugin returned an expiry. */
  readonly expiresAt?: Date;
}

/**
 * Observes the requests of a transport, for metrics, traces and logs. Pass observers in the option `observers`. Without observers, the
 * transport measures nothing. An observer must not throw: its error would fail the request.
 */
export interface TransportObserver {
  /**
   * Called when a request starts. The returned object receives the progress of the request. The observer may add headers to the request.
   */
  request?(request: ObservedRequest): RequestProgress | undefined;
  /** Called after the file of certificate authorities was read again. */
  caReloaded?(outcome: CaReload): void;
  /** Called after a credential plugin ran. */
  pluginRan?(run: PluginRun): void;
}
