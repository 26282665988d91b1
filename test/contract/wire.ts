import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import type { Connection } from '@kubewright/runtime';

/** One request as sent to the server. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A response whose body is not yet read. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

/** Sends requests unchanged: without retries and redirects. `bodyOf` decompresses responses. */
export class Wire {
  readonly #connection: Connection;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Resolves with a response when its headers have arrived. Rejects if the connection ends without a response. */
  send({ method, path, headers, body }: WireRequest): Promise<WireAnswer> {
    const { server, ca, clientCertificate } = this.#connection;
    const identity = headers['authorization'] === undefined ? clientCertificate : undefined;
    return new Promise((resolve, reject) => {
      const request = httpsRequest(
        // The URL class would normalize paths that must be sent unchanged.
        new URL(server),
        {
          method,
          path,
          headers: { ...headers, ...lengthOf(body) },
          agent: this.#agent,
          ...(ca && { ca }),
          ...identity,
        },
        (answer) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: answer }),
      );
      request.once('error', reject);
      request.end(body);
    });
  }

  /** Returns the bearer token of the connection, if any. */
  token(): Promise<string | undefined> {
    const { token } = this.#connection;
    return Promise.resolve(typeof token === 'function' ? token() : token);
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Reads and decompresses the whole body. */
export async function bodyOf(answer: WireAnswer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer.body) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  return answer.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}

/** Returns the Content-Length header of a body. Without this header, Node.js does not send the body of a DELETE correctly. */
function lengthOf(body: string | Buffer | undefined): Readonly<Record<string, string>> {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}
