import type { Connection } from './connection.js';

/** A request, as an in-process server receives it. */
export interface InProcessRequest {
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  /** The lower-case names and the values of the headers, alternating. */
  readonly rawHeaders: readonly string[];
  readonly body: string | null;
  /** The client certificate, as PEM. */
  readonly certificate: string | undefined;
}

/** A request in progress. */
export interface InProcessCall {
  /** Resolves with the head of the response. Rejects with an error that has a code if the server does not respond. */
  readonly response: Promise<{
    readonly code: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: AsyncIterable<Buffer>;
  }>;
  /** Ends the request. A pending response, or the read of its body, fails with this reason. */
  close(reason: unknown): void;
}

/** An API server in this process that receives requests without a network connection. */
export interface InProcessServer {
  /** The URL of the server. A connection with another URL, such as the URL of a proxy, uses the network. */
  readonly url: string;
  request(request: InProcessRequest): InProcessCall;
}

/**
 * The property of a `Connection` that contains the in-process server. A copy of the connection, for example with another identity, also
 * uses the server.
 */
export const IN_PROCESS: unique symbol = Symbol('kubewright.in-process');

/** Returns a connection that sends its requests to a server in this process. */
export function inProcessConnection(connection: Connection, server: InProcessServer): Connection {
  return Object.assign({ ...connection }, { [IN_PROCESS]: server });
}

/** Returns the in-process server of a connection. Returns undefined if the connection uses the network. */
export function inProcessServerOf(connection: Connection): InProcessServer | undefined {
  const server = (connection as { readonly [IN_PROCESS]?: InProcessServer })[IN_PROCESS];
  return server?.url === connection.server ? server : undefined;
}
