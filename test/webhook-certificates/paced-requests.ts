import { Agent, request as httpsRequest } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { assertTrusted, type ShopCluster } from './shop-cluster.js';
import { WEBHOOK_PATH } from './serving-replica.js';
import { HOST, readBundles } from './webhook-objects.js';

/** The number of requests per second, unless the machine is too slow. */
export const RATE = 200;
const TICK_MS = 5;
/** One of 10 requests uses its own connection. The other requests use connections that stay open. */
const REQUESTS_PER_HANDSHAKE = 10;
const CONNECTIONS_PER_REPLICA = 4;
/** The limit of open requests on a machine that is too slow for the rate. */
const MAX_OPEN = 20;

/**
 * Sends requests to the replicas at a constant rate, in the same way as API servers: requests use open connections, and each new connection
 * is verified with a CA bundle that was read before. A changed bundle leads to new connections. Requests that the machine was too slow to
 * send in time are sent later.
 */
export class PacedRequests {
  readonly certificates = new Set<string>();
  readonly failures: unknown[] = [];
  /** The number of requests that were sent. */
  count = 0;
  /** The number of TLS handshakes. */
  handshakes = 0;
  readonly #cluster: ShopCluster;
  readonly #ports: () => readonly number[];
  readonly #open = new Set<Promise<void>>();
  readonly #startedMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  #bundles: readonly string[] = [];
  #agent = newAgent();

  constructor(cluster: ShopCluster, ports: () => readonly number[]) {
    this.#cluster = cluster;
    this.#ports = ports;
    this.#timer = setInterval(() => this.#sendDue(), TICK_MS);
  }

  /** The time since the first request in seconds. */
  get seconds(): number {
    return (performance.now() - this.#startedMs) / 1000;
  }
  /** Resolves when all requests that are open now have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#open);
  }
  /** Resolves when the given number of requests was sent, or a request has failed. */
  async until(count: number): Promise<void> {
    while (this.count < count && this.failures.length === 0) await new Promise((resume) => setTimeout(resume, TICK_MS));
  }
  /** Sends no more requests, and waits for the open requests. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.ended();
    this.#agent.destroy();
  }
  /** Reads the CA bundles. If a bundle has changed, later requests use new connections. */
  async readBundles(): Promise<readonly string[]> {
    const bundles = await readBundles(this.#cluster.transport);
    if (bundles.join() !== this.#bundles.join()) {
      const unused = this.#agent;
      this.#agent = newAgent();
      void this.ended().then(() => unused.destroy());
    }
    this.#bundles = bundles;
    return bundles;
  }

  #sendDue(): void {
    const due = this.seconds * RATE;
    while (this.count < due && this.#open.size < MAX_OPEN) {
      const sent = this.#send(this.count++);
      this.#open.add(sent);
      void sent.then(() => this.#open.delete(sent));
    }
  }
  async #send(index: number): Promise<void> {
    try {
      const isFresh = index % REQUESTS_PER_HANDSHAKE === 0;
      const bundles = isFresh || this.#bundles.length === 0 ? await this.readBundles() : this.#bundles;
      const ports = this.#ports();
      const port = ports[index % ports.length] ?? 0;
      const certificate = await post(port, isFresh ? false : this.#agent);
      if (certificate === undefined) return;
      this.handshakes += 1;
      this.certificates.add(certificate);
      assertTrusted(certificate, bundles[index % bundles.length] ?? '', this.#cluster.clock.now());
    } catch (error) {
      this.failures.push(error);
    }
  }
}

function newAgent(): Agent {
  // Uses all connections in turn, so that the server does not close a connection as idle.
  return new Agent({ keepAlive: true, maxSockets: CONNECTIONS_PER_REPLICA, scheduling: 'fifo' });
}

/** Sends a request. Resolves with the certificate that the server proved to own, if the request has opened a connection. */
function post(port: number, agent: Agent | false): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    // OpenSSL would verify the validity at the time of the system. The caller verifies the certificate at the time of the test.
    const options = {
      host: '127.0.0.1',
      port,
      path: WEBHOOK_PATH,
      method: 'POST',
      servername: HOST,
      rejectUnauthorized: false,
    };
    const request = httpsRequest({ ...options, agent, headers: { 'content-type': 'application/json' } }, (response) => {
      const certificate = request.reusedSocket
        ? undefined
        : (response.socket as TLSSocket).getPeerX509Certificate()?.toString();
      response
        .on('error', reject)
        .on('end', () =>
          response.statusCode === 200
            ? resolve(certificate)
            : reject(new Error(`unexpected status ${response.statusCode}`)),
        );
      response.resume();
    });
    request.on('error', reject).end('{}');
  });
}
