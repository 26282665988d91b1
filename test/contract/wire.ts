import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import type { Connection } from '@kubewright/runtime';

/** One request, as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** An answer of which the body is still to come. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

/** Sends requests and hides nothing: no retry, no redirect; only what is packed is unpacked, by `bodyOf`. */
export class Wire {
  readonly #connection: Connection;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The headers of the answer; rejects when there is none. */
  send({ method, path, headers, body }: WireRequest): Promise<WireAnswer> {
    const { server, ca, clientCertificate } = this.#connection;
    const identity = headers['authorization'] === undefined ? clientCertificate : undefined;
    return new Promise((resolve, reject) => {
      const request = httpsRequest(
        // Not by the URL class alone: it would mend paths that are to be sent as they are.
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

  /** The bearer token of the connection, where it has one. */
  token(): Promise<string | undefined> {
    const { token } = this.#connection;
    return Promise.resolve(typeof token === 'function' ? token() : token);
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The whole body, unpacked. */
export async function bodyOf(answer: WireAnswer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer.body) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  return answer.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}

/** Node frames the body of a DELETE only when it is told how long it is. */
function lengthOf(body: string | Buffer | undefined): Readonly<Record<string, string>> {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}
