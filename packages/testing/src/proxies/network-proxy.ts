import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';
import type { Connection } from '@kubewright/runtime';
import { listenLocally } from '../listen-locally.js';

/** How the network between a client and its server behaves. */
export interface NetworkConditions {
  /** Every piece arrives this much later, in milliseconds. @default 0 */
  readonly delayMs?: number;
  /** At most so many bytes a second pass in each direction of a connection. @default no limit */
  readonly bytesPerSecond?: number;
}

/**
 * The network between a client and an API server. It passes bytes on and understands none of them, so certificates and
 * everything else are those of the server; it can be slow, be cut, and lose everything without a word.
 *
 * @example
 * await using network = await NetworkProxy.open(env.connection);
 * const manager = env.manager({ connection: network.connection });
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

  /** The connection of the server behind, through this network. */
  get connection(): Connection {
    const { port } = this.#server.address() as AddressInfo;
    return { ...this.#upstream, server: `https://127.0.0.1:${port}` };
  }

  /** How many connections are open. */
  get connections(): number {
    return this.#pairs.size;
  }

  /** From now on, also for what is connected already. */
  behave(conditions: NetworkConditions): void {
    this.#conditions = conditions;
  }

  /** New connections lead to this server, such as one that was started again on another port; those that are open stay. */
  leadTo(upstream: Connection): void {
    this.#upstream = upstream;
  }

  /** Breaks every connection with a reset and goes on. */
  cut(): void {
    for (const pair of this.#pairs) pair.reset();
  }

  /** Ends every connection on the side of the server alone: what the client sends then is refused. */
  halfClose(): void {
    for (const pair of this.#pairs) pair.endClient();
  }

  /** Nothing passes any more and nobody is told; new connections are accepted, and nothing passes on them either. */
  partition(): void {
    this.#partitioned = true;
    for (const pair of this.#pairs) pair.pause();
  }

  /** Ends a partition. What was sent meanwhile arrives now, as after a time of lost packets. */
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

/** The two ends of one connection, and what goes between them. */
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
    // An end that breaks takes the other with it; why it broke is for the two ends to know.
    for (const end of [client, server]) end.on('error', () => this.reset());
  }

  onClose(listener: () => void): void {
    this.#client.once('close', listener);
  }

  /** The client is told that nothing more comes; what the server still says goes nowhere. */
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
    // Node leaves the handle of a socket open that is reset while it ends.
    if (this.#client.writableEnded) this.#client.destroy();
    else this.#client.resetAndDestroy();
    this.#server.destroy();
  }
}

/** One direction of a connection: pieces pass in order, as late and as slowly as the conditions say. */
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
