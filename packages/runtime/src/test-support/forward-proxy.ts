import { createServer as createHttp, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, createServer, type Server as TcpServer, type Socket } from 'node:net';
import type { KeyPair } from '../serving/key-pair.js';

export interface ForwardProxyOptions {
  readonly scheme: 'http' | 'https' | 'socks5';
  /** The user and password that clients must send. @default none; every client is accepted */
  readonly user?: { readonly username: string; readonly password: string };
  /** The certificate of the proxy, for the scheme `https`. */
  readonly pair?: KeyPair;
  /** The local port to which the proxy connects, regardless of the requested host name. */
  readonly to: number;
}

/** A forward proxy for tests that always connects to the same local server. */
export class ForwardProxy implements AsyncDisposable {
  /** The received requests, such as 'CONNECT kubernetes.test:6443' or 'GET http://kubernetes.test/'. */
  readonly requested: string[] = [];
  /**
   * How the proxy refuses to open a tunnel: with an HTTP status code, with a SOCKS reply code, with no response ('silence'), or by closing
   * the connection ('end'). Undefined if the proxy opens tunnels. Has no effect on plain HTTP requests.
   */
  refusal: number | 'silence' | 'end' | undefined;
  readonly #options: ForwardProxyOptions;
  readonly #server: TcpServer | Server;
  readonly #sockets = new Set<Socket>();
  #onRequested: (() => void) | undefined;

  private constructor(options: ForwardProxyOptions) {
    this.#options = options;
    this.#server = options.scheme === 'socks5' ? createServer((socket) => void this.#socks(socket)) : this.#http();
    this.#server.on('connection', (socket: Socket) => this.#keep(socket));
  }
  static async start(options: ForwardProxyOptions): Promise<ForwardProxy> {
    const proxy = new ForwardProxy(options);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }
  /** The URL of the proxy without user and password. */
  get name(): string {
    return `${this.#options.scheme}://127.0.0.1:${this.port}`;
  }
  get url(): string {
    const { user } = this.#options;
    return user === undefined
      ? this.name
      : this.name.replace('//', `//${encodeURIComponent(user.username)}:${encodeURIComponent(user.password)}@`);
  }
  /** The number of open connections: one for each client, and one to the server for each accepted client. */
  get connections(): number {
    return this.#sockets.size;
  }
  /** Resolves when the proxy receives the next request. */
  nextRequested(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRequested = resolve;
    });
  }
  /** Resolves when all connections are closed. */
  async idle(): Promise<void> {
    await Promise.all([...this.#sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  }
  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
  }
  #note(what: string): void {
    this.requested.push(what);
    this.#onRequested?.();
  }
  /** Forwards data in both directions until one side closes its connection. */
  #join(client: Socket): void {
    const server = connect(this.#options.to, '127.0.0.1');
    this.#keep(server);
    client.pipe(server).pipe(client);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  }

  #http(): Server {
    const { scheme, pair } = this.#options;
    const answer = (requested: IncomingMessage, response: ServerResponse): void => this.#forward(requested, response);
    const server = scheme === 'https' ? createHttps({ ...pair }, answer) : createHttp(answer);
    server.on('connect', (requested: IncomingMessage, socket: Socket) => {
      socket.on('error', () => socket.destroy());
      this.#note(`CONNECT ${requested.url}`);
      const refusal = this.refusal ?? (this.#letsIn(requested) ? undefined : 407);
      // Reads the socket, because the end of a socket that is not read is not detected.
      if (refusal === 'silence') socket.on('end', () => socket.end()).resume();
      else if (refusal === 'end') socket.destroy();
      else if (refusal !== undefined) socket.end(`HTTP/1.1 ${refusal} Refused\r\ncontent-length: 0\r\n\r\n`);
      else {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        this.#join(socket);
      }
    });
    return server;
  }
  #letsIn({ headers }: IncomingMessage): boolean {
    const { user } = this.#options;
    if (user === undefined) return true;
    const desired = Buffer.from(`${user.username}:${user.password}`).toString('base64');
    return headers['proxy-authorization'] === `Basic ${desired}`;
  }
  /** Forwards a plain HTTP request to the server. */
  #forward(requested: IncomingMessage, response: ServerResponse): void {
    this.#note(`${requested.method} ${requested.url}`);
    if (!this.#letsIn(requested)) {
      response.writeHead(407).end();
      return;
    }
    const { pathname, search, host } = new URL(requested.url ?? '');
    const headers = { ...requested.headers, host };
    const onward = {
      port: this.#options.to,
      host: '127.0.0.1',
      method: requested.method,
      path: pathname + search,
      headers,
    };
    const passed = request(onward, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    requested.pipe(passed);
  }

  async #socks(socket: Socket): Promise<void> {
    const { user } = this.#options;
    const bytes = new Bytes(socket);
    const [, count = 0] = await bytes.take(2);
    const offered = await bytes.take(count);
    if (!offered.includes(user === undefined ? 0 : 2)) return void socket.end(Buffer.from([5, 255]));
    socket.write(Buffer.from([5, user === undefined ? 0 : 2]));
    if (user !== undefined) {
      const [, length = 0] = await bytes.take(2);
      const username = (await bytes.take(length)).toString();
      const password = (await bytes.take((await bytes.take(1))[0] ?? 0)).toString();
      const isKnown = username === user.username && password === user.password;
      socket.write(Buffer.from([1, isKnown ? 0 : 1]));
      if (!isKnown) return void socket.end();
    }
    const [, , , kind] = await bytes.take(4);
    const host = await bytes.take(kind === 3 ? ((await bytes.take(1))[0] ?? 0) : kind === 4 ? 16 : 4);
    const port = (await bytes.take(2)).readUInt16BE();
    this.#note(`CONNECT ${kind === 3 ? host.toString() : kind === 4 ? host.toString('hex') : host.join('.')}:${port}`);
    if (this.refusal === 'silence') return;
    if (this.refusal === 'end') return void socket.destroy();
    // Sends single bytes, because a network can split data anywhere. The address is a host name, which is the longest form.
    for (const byte of [5, this.refusal ?? 0, 0, 3, 2, 97, 98, 1, 2]) socket.write(Buffer.from([byte]));
    bytes.leave();
    if (this.refusal === undefined) this.#join(socket);
  }
}

/** Reads the data of a socket in pieces of a given size. */
class Bytes {
  readonly #socket: Socket;
  #read = Buffer.alloc(0);
  #desired: { readonly count: number; readonly give: (bytes: Buffer) => void } | undefined;
  constructor(socket: Socket) {
    this.#socket = socket.on('data', this.#onData);
  }
  take(count: number): Promise<Buffer> {
    return new Promise((give) => {
      this.#desired = { count, give };
      this.#serve();
    });
  }
  leave(): void {
    this.#socket.off('data', this.#onData);
    this.#socket.pause();
  }
  readonly #onData = (data: Buffer): void => {
    this.#read = Buffer.concat([this.#read, data]);
    this.#serve();
  };
  #serve(): void {
    const desired = this.#desired;
    if (desired === undefined || this.#read.length < desired.count) return;
    this.#desired = undefined;
    const bytes = this.#read.subarray(0, desired.count);
    this.#read = this.#read.subarray(desired.count);
    desired.give(bytes);
  }
}
