import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { connect } from 'node:tls';
import type { Replica } from './replica.js';
import { assertTrusted, ShopCluster } from './shop-cluster.js';
import { HOST, readBundles } from './webhook-objects.js';

const INTERVAL_MS = 5;
const SERVING_ROTATIONS = 20;
const CA_ROTATIONS = 5;
/** The number of requests per step of the clock. */
const REQUESTS_PER_STEP = 5;
/** The number of steps after which a replica is killed and replaced. The number is odd, so that the kills hit different phases. */
const STEPS_PER_KILL = 23;
/** Shorter lifetimes than in other tests, because each step of the clock waits for requests. */
const LIFETIMES = { lifetime: '1h', authorityLifetime: '3h', distribution: '5m' } as const;
/** The limit for a machine that is too slow for one request per interval. */
const MAX_OPEN = 20;

/** A replica with an HTTPS server that uses the current key pair for new connections. */
class ServingReplica implements AsyncDisposable {
  readonly replica: Replica;
  readonly #server: Server;

  private constructor(replica: Replica, server: Server) {
    this.replica = replica;
    this.#server = server;
  }
  static async start(cluster: ShopCluster): Promise<ServingReplica> {
    const replica = await cluster.startReplica(LIFETIMES);
    const server = createServer({ ...replica.served.at(-1) });
    replica.certificates.onChange((changed) => server.setSecureContext({ ...changed }));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ServingReplica(replica, server);
  }
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }
  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Opens a TLS connection, and resolves with the certificate that the server proved to own in the handshake. */
async function servedCertificate(port: number): Promise<string> {
  // OpenSSL would verify the validity at the time of the system. The caller verifies the certificate at the time of the test.
  const socket = connect({ host: '127.0.0.1', port, servername: HOST, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerX509Certificate()?.toString() ?? '';
  socket.destroy();
  return certificate;
}

/** Sends requests in the same way as API servers: each request reads the CA bundles first, and verifies the server with one of them. */
class Requests {
  readonly certificates = new Set<string>();
  readonly failures: unknown[] = [];
  count = 0;
  skipped = 0;
  readonly #cluster: ShopCluster;
  readonly #ports: () => readonly number[];
  readonly #open = new Set<Promise<void>>();

  constructor(cluster: ShopCluster, ports: () => readonly number[]) {
    this.#cluster = cluster;
    this.#ports = ports;
  }
  send(): void {
    if (this.#open.size >= MAX_OPEN) this.skipped += 1;
    else {
      const sent = this.#send(this.count++);
      this.#open.add(sent);
      void sent.then(() => this.#open.delete(sent));
    }
  }
  /** Resolves when all requests that are open now have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#open);
  }
  async #send(index: number): Promise<void> {
    try {
      const bundles = await readBundles(this.#cluster.transport);
      const ports = this.#ports();
      const certificate = await servedCertificate(ports[index % ports.length] ?? 0);
      this.certificates.add(certificate);
      assertTrusted(certificate, bundles[index % bundles.length] ?? '', this.#cluster.clock.now());
    } catch (error) {
      this.failures.push(error);
    }
  }
}

test('two replicas rotate their certificates under constant requests while replicas are killed, and no request fails', async (t) => {
  await using cluster = await ShopCluster.start();
  const serving = [await ServingReplica.start(cluster), await ServingReplica.start(cluster)];
  const authorities = new Set<string>();
  const requests = new Requests(cluster, () => serving.map(({ port }) => port));
  const startedMs = performance.now();
  const timer = setInterval(() => requests.send(), INTERVAL_MS);
  try {
    let step = 0;
    const isDone = (): boolean =>
      requests.failures.length > 0 ||
      (requests.certificates.size > SERVING_ROTATIONS && authorities.size > CA_ROTATIONS);
    for (; !isDone(); step++) {
      const [bundle = ''] = await readBundles(cluster.transport);
      authorities.add(bundle.slice(0, bundle.indexOf('-----END')));
      const until = requests.count + REQUESTS_PER_STEP;
      // A request spans at most one step of 4 min, which is shorter than the distribution of a new CA.
      const before = requests.ended();
      await cluster.advance('4m');
      await before;
      while (requests.count < until) await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
      if (step % STEPS_PER_KILL === STEPS_PER_KILL - 1) await replace(serving, cluster, requests);
    }
    const seconds = (performance.now() - startedMs) / 1000;
    t.diagnostic(`${requests.count} requests in ${seconds.toFixed(0)} s, ${requests.skipped} skipped, ${step} steps`);
    t.diagnostic(`${requests.certificates.size} serving certificates, ${authorities.size} CAs`);
  } finally {
    clearInterval(timer);
    await requests.ended();
    for (const replica of serving) await replica[Symbol.asyncDispose]();
  }
  assert.deepEqual(requests.failures, []);
});

/** Kills the first replica while the clock advances, removes it from the Service, and starts another replica. */
async function replace(serving: ServingReplica[], cluster: ShopCluster, requests: Requests): Promise<void> {
  const [killed] = serving.splice(0, 1);
  const advanced = cluster.advance('2m');
  killed?.replica.kill();
  await advanced;
  await requests.ended();
  await killed?.[Symbol.asyncDispose]();
  await killed?.replica[Symbol.asyncDispose]();
  cluster.replicas.splice(0, 1);
  serving.push(await ServingReplica.start(cluster));
}
