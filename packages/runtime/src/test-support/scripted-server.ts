import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request to which the test responds. */
export class Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Resolves when the client or the server closes the connection or the stream of the response. */
  readonly closed: Promise<void>;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse, body: string) {
    const url = new URL(request.url ?? '/', 'http://server');
    this.method = request.method ?? '';
    this.path = url.pathname;
    this.query = Object.fromEntries(url.searchParams);
    this.headers = request.headers;
    this.body = body;
    this.#response = response;
    this.closed = new Promise((resolve) => response.once('close', resolve));
  }

  /** Responds with a text. */
  text(code: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): void {
    this.#response.writeHead(code, { 'content-type': 'application/json', ...headers });
    this.#response.end(body);
  }
  json(code: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
    this.text(code, JSON.stringify(body), headers);
  }
  /** Responds with a Status that reports a failure. */
  status(
    code: number,
    reason: string,
    more: { readonly message?: string; readonly details?: unknown } = {},
    headers = {},
  ): void {
    this.json(code, statusBody(code, reason, more), headers);
  }
  /** Responds with a list of ConfigMaps. */
  list(resourceVersion: string, items: readonly unknown[], continueToken?: string): void {
    const metadata = { resourceVersion, ...(continueToken === undefined ? {} : { continue: continueToken }) };
    this.json(200, { kind: 'ConfigMapList', apiVersion: 'v1', metadata, items });
  }

  /** Responds with protobuf. */
  protobuf(code: number, body: Buffer): void {
    this.text(code, body, { 'content-type': 'application/vnd.kubernetes.protobuf' });
  }

  /** Starts to respond with a stream. */
  open(contentType = 'application/json'): this {
    if (!this.#response.headersSent) {
      this.#response.writeHead(200, { 'content-type': contentType });
      this.#response.flushHeaders();
    }
    return this;
  }
  /** Sends a text or bytes in the stream. */
  send(text: string | Buffer): this {
    this.open();
    this.#response.write(text);
    return this;
  }
  /** Same as `send`, but resolves when the operating system has accepted the bytes, even if the client has not read them yet. */
  async taken(text: string): Promise<void> {
    this.open();
    await new Promise<void>((resolve) => this.#response.write(text, () => resolve()));
  }
  event(type: string, object: unknown): this {
    return this.send(`${JSON.stringify({ type, object })}\n`);
  }
  bookmark(resourceVersion: string, annotations?: Readonly<Record<string, string>>): this {
    const metadata = { resourceVersion, ...(annotations === undefined ? {} : { annotations }) };
    return this.event('BOOKMARK', { kind: 'ConfigMap', apiVersion: 'v1', metadata });
  }
  /** Sends the bookmark that follows the initial objects. */
  endInitial(resourceVersion: string): this {
    return this.bookmark(resourceVersion, { 'k8s.io/initial-events-end': 'true' });
  }
  errorEvent(code: number, reason: string, more: { readonly message?: string; readonly details?: unknown } = {}): this {
    return this.event('ERROR', statusBody(code, reason, more));
  }
  /** Whether back-pressure holds back the server, because the client reads more slowly than the server sends. */
  get isHeldBack(): boolean {
    return this.#response.writableNeedDrain;
  }
  /** Ends the stream, as a server does after the timeout of a watch. */
  end(): void {
    this.open();
    this.#response.end();
  }
  /** Breaks the connection. */
  cut(): void {
    this.#response.socket?.destroy();
    this.#response.destroy();
  }
}

function statusBody(code: number, reason: string, more: object): object {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message: reason, ...more };
}

/** An HTTP server to whose requests the test responds. */
export class ScriptedServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #arrived: Exchange[] = [];
  readonly #waiting: ((exchange: Exchange) => void)[] = [];
  readonly #scheme: string;
  /** The number of received requests. */
  requests = 0;
  /** The number of accepted connections. */
  connections = 0;

  constructor(make: (listener: RequestListener) => Server = createServer, scheme = 'http') {
    this.#scheme = scheme;
    this.#server = make((request, response) => void this.#receive(request, response));
    this.#server.on('connection', (socket) => {
      this.connections++;
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(make?: (listener: RequestListener) => Server, scheme?: string): Promise<ScriptedServer> {
    const server = new ScriptedServer(make, scheme);
    await server.listen(0);
    return server;
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }
  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.port}`;
  }

  /** Resolves with the next request. */
  next(): Promise<Exchange> {
    const arrived = this.#arrived.shift();
    if (arrived !== undefined) return Promise.resolve(arrived);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The number of received requests that `next` has not returned yet. */
  get unconsumed(): number {
    return this.#arrived.length;
  }

  /** Breaks all connections. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.cutAll();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.requests++;
    const exchange = new Exchange(request, response, Buffer.concat(chunks).toString('utf8'));
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#arrived.push(exchange);
    else waiting(exchange);
  }
}
