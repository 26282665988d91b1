import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';
import type { Connection } from '@kubewright/runtime';
import { listenLocally } from '../listen-locally.js';

/** The conditions of the network between a client and its server. */
export interface NetworkConditions {
  /** The delay of each chunk of data, in milliseconds. @default 0 */
  readonly delayMs?: number;
  /** The maximum number of bytes per second in each direction of a connection. @default no limit */
  readonly bytesPerSecond?: number;
}

/**
 * A network proxy between a client and an API server. The proxy forwards bytes without interpreting them, so clients see the certificates
 * of the server. The proxy can delay data, break connections, and block all traffic silently.
 *
 * @example await using network = await NetworkProxy.open(env.connection); const manager = env.manager({ connection: network.connection });
 */
export class NetworkProxy implements AsyncDisposable {
  #upstream: Connection;
  readonly #server: Server;
  readonly #pairs = new Set<ConnectedPair>();
  #conditions: NetworkConditions = {};
  #partitioned = false;

  private constructor(upstream: Connection) {
    this.#upstream = upstream;
    this.#server = createServer({ allowHalfOpen: true, pauseOnConnect: false }, (client) => this.#accept(client));
  }

  static async open(upstream: Connection): Promise<NetworkProxy> {
    const proxy = new NetworkProxy(upstream);
    await listenLocally(proxy.#server);
    return proxy;
  }

  /** The connection to the upstream server through this proxy. */
  get connection(): Connection {
    const { port } = this.#server.address() as AddressInfo;
    return { ...this.#upstream, server: `https://127.0.0.1:${port}` };
  }

  /** The number of open connections. */
  get connections(): number {
    return this.#pairs.size;
  }

  /** Changes the conditions, also for open connections. */
  behave(conditions: NetworkConditions): void {
    this.#conditions = conditions;
  }

  /** Directs new connections to this server, such as a server that was restarted on another port. Open connections do not change. */
  leadTo(upstream: Connection): void {
    this.#upstream = upstream;
  }

  /** Resets every connection. New connections are accepted. */
  cut(): void {
    for (const pair of this.#pairs) pair.reset();
  }

  /**
   * Ends the stream from the server to the client on every connection. Discards further bytes of the server, and still forwards bytes of
   * the client.
   */
  halfClose(): void {
    for (const pair of this.#pairs) pair.endClient();
  }

  /** Blocks all traffic silently. New connections are accepted, but blocked too. */
  partition(): void {
    this.#partitioned = true;
    for (const pair of this.#pairs) pair.pause();
  }

  /** Ends a partition. Delivers the blocked bytes, as after a period of packet loss. */
  heal(): void {
    this.#partitioned = false;
    for (const pair of this.#pairs) pair.resume();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #accept(client: Socket): void {
    const { hostname, port } = new URL(this.#upstream.server);
    const server = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const pair = new ConnectedPair(client, server, () => this.#conditions);
    this.#pairs.add(pair);
    pair.onClose(() => this.#pairs.delete(pair));
    if (this.#partitioned) pair.pause();
  }
}

/** The two ends of one connection, and the traffic between them. */
class ConnectedPair {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #ways: readonly [there: Passage, back: Passage];

  constructor(client: Socket, server: Socket, conditions: () => NetworkConditions) {
    this.#client = client;
    this.#server = server;
    this.#ways = [new Passage(conditions), new Passage(conditions)];
    const [there, back] = this.#ways;
    client.pipe(there).pipe(server);
    server.pipe(back).pipe(client);
    // An error at one end closes both ends. The proxy does not report the error, because the client and the server report it.
    for (const end of [client, server]) end.on('error', () => this.reset());
  }

  onClose(listener: () => void): void {
    this.#client.once('close', listener);
  }

  /** Ends the stream to the client. Discards further bytes of the server. */
  endClient(): void {
    const [, back] = this.#ways;
    back.unpipe(this.#client);
    back.resume();
    this.#client.end();
  }

  pause(): void {
    for (const way of this.#ways) way.hold();
  }

  resume(): void {
    for (const way of this.#ways) way.release();
  }

  reset(): void {
    // Node.js leaks the handle of a socket that is reset while it ends.
    if (this.#client.writableEnded) this.#client.destroy();
    else this.#client.resetAndDestroy();
    this.#server.destroy();
  }
}

/** One direction of a connection. Chunks pass in order, with the delay and the rate of the conditions. */
class Passage extends Transform {
  readonly #conditions: () => NetworkConditions;
  #held = false;
  #waiting: (() => void) | undefined;

  constructor(conditions: () => NetworkConditions) {
    super();
    this.#conditions = conditions;
  }

  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    this.#waiting?.();
    this.#waiting = undefined;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const pass = (): void => {
      if (this.#held) this.#waiting = () => done(null, chunk);
      else done(null, chunk);
    };
    const { delayMs = 0, bytesPerSecond } = this.#conditions();
    const ms = delayMs + (bytesPerSecond === undefined ? 0 : (chunk.length / bytesPerSecond) * 1000);
    if (ms > 0) setTimeout(pass, ms);
    else pass();
  }
}
