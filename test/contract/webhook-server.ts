import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { servingCertificate } from '@kubewright/apiserver/internal';
import type { Json } from './json.js';

/** What a webhook returns: a response, no response, or a closed connection. */
export type WebhookAnswer =
  | {
      /** @default 200 */
      readonly status?: number;
      /** @default the content type of JSON */
      readonly headers?: Readonly<Record<string, string>>;
      /** A string or a Buffer is sent unchanged, and any other body as JSON. */
      readonly body?: unknown;
    }
  | 'never'
  | 'cut';

/** Returns the answer of a webhook to a review. */
export type WebhookReply = (review: Json) => WebhookAnswer | Promise<WebhookAnswer>;

/** A request that a webhook received. */
export interface WebhookCall {
  readonly method: string;
  /** The path and the query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly review: Json;
}

/**
 * An HTTPS server on 127.0.0.1 with its own authority. It records the received reviews, and sends the answers that the case has set for
 * each path.
 */
export class WebhookServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #replies = new Map<string, WebhookReply>();
  readonly #probed = new Set<string>();
  readonly #sockets = new Set<Socket>();
  #calls: WebhookCall[] = [];
  /** The certificate authority in the form of a `caBundle`: base64 of PEM. */
  readonly caBundle: string;

  private constructor(server: Server, caBundle: string) {
    this.#server = server;
    this.caBundle = caBundle;
  }

  static async start(): Promise<WebhookServer> {
    const { certificateAuthority, certificate, key } = servingCertificate('127.0.0.1');
    const server = createServer({ cert: certificate, key });
    const webhooks = new WebhookServer(server, Buffer.from(certificateAuthority).toString('base64'));
    server.on('connection', (socket: Socket) => {
      webhooks.#sockets.add(socket);
      socket.once('close', () => webhooks.#sockets.delete(socket));
    });
    server.on('request', (request, response) => void webhooks.#serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return webhooks;
  }

  /** Returns the URL of a path. */
  url(path: string): string {
    const { port } = this.#server.address() as AddressInfo;
    return `https://127.0.0.1:${port}${path}`;
  }

  /** Sets the answers for a path. */
  reply(path: string, reply: WebhookReply): void {
    this.#replies.set(path, reply);
  }

  /** Whether the path below `/probe/` received a request since the last call of this function for the path. */
  wasProbed(path: string): boolean {
    return this.#probed.delete(path);
  }

  /** Returns the requests since the last call of this function, in the order of arrival. Requests to paths below `/probe/` are excluded. */
  takeCalls(): readonly WebhookCall[] {
    const calls = this.#calls;
    this.#calls = [];
    return calls;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    // The function `closeAllConnections` does not close connections that have not received a request.
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: target = '', headers } = request;
    const text = await textOf(request);
    if (text === undefined) return;
    const [path = ''] = target.split('?');
    const review: Json = text === '' ? null : JSON.parse(text);
    if (path.startsWith('/probe/')) this.#probed.add(path);
    else this.#calls.push({ method, target, headers, review });
    const answer = await this.#replies.get(path)?.(review);
    if (answer === 'never') return;
    if (answer === 'cut') request.socket.destroy();
    else send(response, answer ?? { status: 404, body: `no webhook has the path ${path}` });
  }
}

/** Returns undefined if the client closes the connection before the end of the body. */
async function textOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, { status = 200, headers, body }: Exclude<WebhookAnswer, string>): void {
  response.writeHead(status, headers ?? { 'content-type': 'application/json' });
  if (body === undefined) response.end();
  else response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
}
