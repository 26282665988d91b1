import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import type { Duration } from '@kubewright/api/clock';
import { ApiServer } from '@kubewright/apiserver';
import type { Connection } from '@kubewright/runtime';
import { Transport } from '@kubewright/runtime/internal';
import { FakeClock } from '@kubewright/testing';
import { Replica, type ReplicaOptions } from './replica.js';
import { createWebhookObjects, HOST, readBundles } from './webhook-objects.js';

/** Short lifetimes, so that rotations need few steps of the clock. */
export const LIFETIMES = { lifetime: '3h', authorityLifetime: '9h', distribution: '5m' } as const;

/** An API server with the webhook objects of an operator, a clock, and the replicas of the operator. */
export class ShopCluster implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly connection: Connection;
  /** The connection of the administrator. */
  readonly transport: Transport;
  readonly replicas: Replica[] = [];
  readonly #server: ApiServer;

  private constructor(server: ApiServer) {
    this.#server = server;
    this.connection = { server: server.url, ca: server.certificateAuthority, token: server.token };
    this.transport = new Transport(this.connection);
    this.clock.onAdvance(() => this.idle());
  }

  static async start(): Promise<ShopCluster> {
    const cluster = new ShopCluster(await ApiServer.start({}));
    await createWebhookObjects(cluster.transport);
    return cluster;
  }

  /** Adds a replica without starting it. */
  replica(options: Partial<ReplicaOptions> = {}): Replica {
    const replica = new Replica({ connection: this.connection, clock: this.clock, ...LIFETIMES, ...options });
    this.replicas.push(replica);
    return replica;
  }
  /** Adds and starts a replica. Resolves when it has finished its first checks. */
  async startReplica(options: Partial<ReplicaOptions> = {}): Promise<Replica> {
    const replica = this.replica(options);
    await replica.start();
    await replica.idle();
    return replica;
  }
  /** Resolves when no replica checks anything. */
  async idle(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.idle()));
  }
  advance(by: Duration): Promise<void> {
    return this.clock.advance(by);
  }

  /** Asserts that clients of each configuration accept the certificate of each running replica at the current time. */
  async assertTrusted(): Promise<void> {
    const bundles = await readBundles(this.transport);
    for (const replica of this.replicas) {
      const served = replica.served.at(-1);
      if (served === undefined || replica.isKilled) continue;
      for (const bundle of bundles) assertTrusted(served.cert, bundle, this.clock.now());
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const replica of this.replicas) await replica[Symbol.asyncDispose]();
    await this.transport.close();
    await this.#server.stop();
  }
}

/** Asserts what a TLS client with a bundle verifies at a time: the host name, the validity, and the signature of a CA in the bundle. */
export function assertTrusted(cert: string, bundle: string, now: Date): void {
  const leaf = new X509Certificate(cert);
  assert.equal(leaf.checkHost(HOST), HOST);
  assertValid(leaf, now);
  const authority = certificatesIn(bundle).find((each) => leaf.checkIssued(each) && leaf.verify(each.publicKey));
  assert.ok(authority, `no CA in the bundle of ${certificatesIn(bundle).length} has issued the certificate`);
  assertValid(authority, now);
}

/** Returns the certificates in a PEM text. */
export function certificatesIn(pem: string): readonly X509Certificate[] {
  return (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (text) => new X509Certificate(text),
  );
}

function assertValid({ validFrom, validTo, subject }: X509Certificate, now: Date): void {
  assert.ok(Date.parse(validFrom) <= now.getTime(), `${subject} is not valid yet`);
  assert.ok(now.getTime() < Date.parse(validTo), `${subject} has expired`);
}
