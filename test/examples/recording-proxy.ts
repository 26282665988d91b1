import { Agent, createServer, request as httpsRequest, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import type { Permission } from '@kubewright/api/rbac';
import { requestInfo, requestPermission, servingCertificate } from '@kubewright/apiserver/internal';
import type { Connection } from '@kubewright/runtime';

/**
 * Forwards requests between a program and its API server, and records the permission that each answered request needed. The proxy rejects
 * the first streaming list of each resource, like an older server, so that a program also uses the permissions for paged lists.
 */
export class RecordingProxy implements AsyncDisposable {
  /** The connection of a program to the proxy. The program adds its own credentials. */
  readonly connection: Connection;
  readonly #used: Permission[] = [];
  readonly #refused = new Set<string>();
  readonly #upstream: Connection;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server: Server;

  private constructor(server: Server, { ca, upstream }: { readonly ca: string; readonly upstream: Connection }) {
    this.#server = server;
    this.#upstream = upstream;
    const { port } = server.address() as AddressInfo;
    this.connection = { server: `https://127.0.0.1:${port}`, ca };
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      // If the server closes its connection, the proxy closes the connection to the client, and the client retries the request.
      this.#pass(request, response).catch(() => request.socket.destroy());
    });
  }

  static async open(upstream: Connection): Promise<RecordingProxy> {
    const { certificate: cert, key, certificateAuthority: ca } = servingCertificate('127.0.0.1');
    const server = createServer({ cert, key });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new RecordingProxy(server, { ca, upstream });
  }

  /** The permissions of all answered requests. */
  get used(): readonly Permission[] {
    return this.#used;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
    await closed;
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.connection.server);
    if (searchParams.has('sendInitialEvents') && !this.#refused.has(pathname)) {
      this.#refused.add(pathname);
      return refuseStreaming(response);
    }
    const answer = await this.#forward(request);
    this.#note(request, answer);
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.flushHeaders();
    await pipeline(answer, response);
  }
  #forward(request: IncomingMessage): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { method, url: path, headers } = request;
      const { server, ca } = this.#upstream;
      const onward = httpsRequest(new URL(server), { method, path, headers, agent: this.#agent, ca }, resolve);
      onward.once('error', reject);
      request.pipe(onward);
    });
  }
  #note({ method = 'GET', url = '/' }: IncomingMessage, { statusCode }: IncomingMessage): void {
    const { pathname: path, searchParams: query } = new URL(url, this.connection.server);
    const permission = requestPermission({ method, path, query }, requestInfo(method, path, query));
    this.#used.push(permission);
    // An apply that created the object also needed the create permission.
    if (method === 'PATCH' && statusCode === 201) this.#used.push({ ...permission, verb: 'create' });
  }
}

/** Responds like a server that does not support streaming lists. */
function refuseStreaming(response: ServerResponse): void {
  const message =
    'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
  response.writeHead(422, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason: 'Invalid', code: 422 }),
  );
}
