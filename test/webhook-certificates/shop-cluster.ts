import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import type { Duration } from '@kubewright/api/clock';
import type { Connection } from '@kubewright/runtime';
import { Transport } from '@kubewright/runtime/internal';
import { FakeClock, type TestEnvironment } from '@kubewright/testing';
import type { SelectedServer } from '../server/selected-server.js';
import { startEnvironment } from '../server/start-environment.js';
import { Replica, type ReplicaOptions } from './replica.js';
import { createDefinition, createWebhookObjects, HOST, readBundles } from './webhook-objects.js';

/** Short lifetimes, so that rotations need few steps of the clock. */
export const LIFETIMES = { lifetime: '3h', authorityLifetime: '9h', distribution: '5m' } as const;

/** An API server with the webhook objects of an operator, a clock, and the replicas of the operator. */
export class ShopCluster implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly connection: Connection;
  /** The connection of the administrator. */
  readonly transport: Transport;
  readonly replicas: Replica[] = [];
  readonly #environment: TestEnvironment;

  private constructor(environment: TestEnvironment) {
    this.#environment = environment;
    this.connection = environment.connection;
    this.transport = new Transport(this.connection);
    this.clock.onAdvance(() => this.idle());
  }

  /** Starts a server, by default the embedded server. With `definition`, the operator also has a kind with a conversion webhook. */
  static async start({
    server = 'embedded',
    definition = false,
  }: {
    readonly server?: SelectedServer;
    readonly definition?: boolean;
  } = {}): Promise<ShopCluster> {
    const cluster = new ShopCluster(await startEnvironment({ server }));
    await createWebhookObjects(cluster.transport);
    if (definition) await createDefinition(cluster.transport);
    return cluster;
  }

  /** Returns a token of a service account. */
  async tokenOf({ namespace, name }: { readonly namespace: string; readonly name: string }): Promise<string> {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const { status } = await this.transport.request<{ readonly status: { readonly token: string } }>({
      method: 'POST',
      path,
      body,
    });
    return status.token;
  }
  /** Adds a replica without starting it. */
  replica(options: Partial<ReplicaOptions> = {}): Replica {
    const replica = new Replica({ connection: this.connection, clock: this.clock, ...LIFETIMES, ...options });
    this.replicas.push(replica);
    return replica;
  }
  /** Adds and starts a replica. Resolves when the replica has finished its first checks. */
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
    await this.#environment[Symbol.asyncDispose]();
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
