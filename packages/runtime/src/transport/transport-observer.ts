import type { StructuralSchema } from '@kubewright/api/schema';

/** A request as it begins. */
export interface ObservedRequest {
  /** 'GET', 'POST', 'PUT', 'PATCH' or 'DELETE'. */
  readonly verb: string;
  /** Host and port of the API server. */
  readonly host: string;
  /** Without the query. */
  readonly path: string;
  /** What stands behind the question mark; empty for nothing. */
  readonly query: string;
  /** What is attempted, in words: 'get pod default/web'. */
  readonly attempted: string;
  /** Whether the answer is read as it comes, as that of a list or watch is. */
  readonly stream: boolean;
  /** The headers of each attempt, such as that of a trace; those of credentials are never among them. */
  readonly headers: Record<string, string | string[]>;
  /** The JSON that is sent. It may hold secrets: for logs, ask `RequestLog`. */
  readonly body: string | undefined;
  /** The schema of the object, if it is known. */
  readonly schema?: StructuralSchema | undefined;
  /** Of the body; 0 without one. */
  readonly requestBytes: number;
}

/** One attempt that was answered, or was not. */
export interface ObservedAttempt {
  /** The HTTP status; undefined when no answer came. */
  readonly code: number | undefined;
  /** What broke it. */
  readonly error?: unknown;
  /** From sending it until its answer came, of a stream the head of it. */
  readonly durationMs: number;
  /** The body of the answer to a single request. It may hold secrets: for logs, ask `RequestLog`. */
  readonly body?: Uint8Array | undefined;
}

/** How a request ended. */
export interface ObservedEnd extends ObservedAttempt {
  /** From the beginning, waits included; of a stream until its end. */
  readonly durationMs: number;
  /** How often it was sent again. */
  readonly retries: number;
  /** Of the body; of a stream those that were read. */
  readonly responseBytes: number;
}

/** Is told how one request goes on. */
export interface RequestProgress {
  /** It was held back by the limit of this side. */
  throttled?(waitedMs: number): void;
  /** An attempt is over: its answer, or the head of it, has come, or none will. */
  answered?(attempt: ObservedAttempt): void;
  /** It will be sent again, after the wait. */
  retried?(attempt: ObservedAttempt, waitMs: number): void;
  /** It is over: for a stream when its body has ended, was cut or closed. Called once. */
  ended?(end: ObservedEnd): void;
}

/** What reading a file of certificate authorities again came to. */
export type CaReload = 'changed' | 'unchanged' | 'empty' | 'unreadable' | 'invalid';

/** What running a credential plugin came to. */
export interface PluginRun {
  readonly command: string;
  readonly outcome: 'success' | 'refused-by-policy' | 'not-found' | 'failed' | 'unreadable';
  readonly exitCode?: number;
  readonly durationMs: number;
  /** Until when its credential is good, where it says so. */
  readonly expiresAt?: Date;
}

/**
 * Is told of the requests of a transport, for metrics, traces and logs: hand it over as `observers`. Without one nothing is measured.
 * What an observer throws breaks the request: it must not throw.
 */
export interface TransportObserver {
  /** A request begins; what is given back is told of the rest. It may add headers to it. */
  request?(request: ObservedRequest): RequestProgress | undefined;
  /** The file of certificate authorities was read again. */
  caReloaded?(outcome: CaReload): void;
  /** A credential plugin was run. */
  pluginRan?(run: PluginRun): void;
}
