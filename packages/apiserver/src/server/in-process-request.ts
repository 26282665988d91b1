/** A request of a client in the process of the server. */
export interface InProcessRequest {
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  /** The lower-case names and the values of the headers, alternating. Each character of a value is one byte. */
  readonly rawHeaders: readonly string[];
  readonly body: string | null;
  /** The client certificate, as PEM. @default none */
  readonly certificate?: string | undefined;
}

/** The response to an `InProcessRequest`. */
export interface InProcessResponse {
  readonly code: number;
  /** The headers by lower-case name. Each character of a value is one byte. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body. The iteration fails with ECONNRESET if the server breaks the connection. If the client does not read, the server waits. */
  readonly body: AsyncIterable<Buffer>;
}

/** A request in progress. */
export interface InProcessCall {
  /**
   * Resolves when the head of the response is known. Rejects with the error code ECONNRESET if the server breaks the connection first, and
   * with ECONNREFUSED if the server is stopped.
   */
  readonly response: Promise<InProcessResponse>;
  /** Disconnects the client. A pending response or a pending read fails with this reason. Does nothing after the server ends the body. */
  close(reason: unknown): void;
}
