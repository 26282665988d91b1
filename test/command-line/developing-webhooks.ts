import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '@kubewright/api';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@kubewright/api/admissionregistration/v1';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { Lease } from '@kubewright/api/coordination/v1';
import { type Client, InMemoryCertificates } from '@kubewright/runtime';
import type { TestEnvironment, TestEnvironmentOptions } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import type { FixtureProject } from './fixture-project.js';
import { RunningCommand } from './running-command.js';
import { FooV1, FooV2, projectWithWebhooks } from './webhook-project.js';

export const ADDRESS = ['--webhook-address', '127.0.0.1'];
export const SUMMARY = 'defaulting of Foo; validation of Foo; conversion of Foo';
export const SERVED = new RegExp(`^the API server calls the webhooks of the operator: ${SUMMARY}$`);
export const DEFINITION = 'foos.example.com';
const CA = Buffer.from(new InMemoryCertificates().caBundle).toString('base64');
export const SESSION = { labels: 'kubewright.dev/dev-session' };

export const EXPIRED = '2000-01-01T00:00:00.000000Z';

/** A cluster, and projects with webhooks whose commands use the cluster. */
export class Cluster implements AsyncDisposable {
  readonly env: TestEnvironment;
  readonly #projects: FixtureProject[] = [];

  private constructor(env: TestEnvironment) {
    this.env = env;
  }
  static async start(server: TestEnvironmentOptions['server'] = 'embedded'): Promise<Cluster> {
    return new Cluster(await startEnvironment({ server }));
  }
  get client(): Client {
    return this.env.client;
  }
  async project(): Promise<FixtureProject> {
    const project = await projectWithWebhooks();
    this.#projects.push(project);
    await this.env.writeKubeconfig(join(project.root, 'kubeconfig'));
    return project;
  }
  /** Starts `kubewright dev --cluster` in its own process. */
  dev(
    project: FixtureProject,
    args: readonly string[] = ADDRESS,
  ): RunningCommand & { readonly process: ReturnType<FixtureProject['start']> } {
    const process = project.start(['dev', '--cluster', ...args], variables(project));
    return Object.assign(new RunningCommand(process), { process });
  }
  /** Returns the kind and name of each object that carries the label of a session, sorted. */
  async remains(): Promise<readonly string[]> {
    const { live } = this.client;
    const objects: KubeObject[] = [
      ...(await live.list(MutatingWebhookConfiguration, SESSION)),
      ...(await live.list(ValidatingWebhookConfiguration, SESSION)),
      ...(await live.list(CustomResourceDefinition, SESSION)),
      ...(await live.list(Lease, SESSION)),
    ];
    return objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted();
  }
  async definition(): Promise<CustomResourceDefinition> {
    return this.client.live.get(CustomResourceDefinition, { name: DEFINITION });
  }
  async [Symbol.asyncDispose](): Promise<void> {
    for (const project of this.#projects) await project[Symbol.asyncDispose]();
    await this.env[Symbol.asyncDispose]();
  }
}
export function variables(project: FixtureProject): { readonly KUBECONFIG: string } {
  return { KUBECONFIG: join(project.root, 'kubeconfig') };
}

/** Ends a command with SIGINT, and checks that it succeeds. */
export async function end(dev: RunningCommand): Promise<void> {
  dev.child.kill('SIGINT');
  assert.equal(await dev.closed, 0, dev.lines.join('\n'));
}
/** Kills a command with SIGKILL. */
export async function kill({ process }: ReturnType<Cluster['dev']>): Promise<void> {
  process.kill('SIGKILL');
  await once(process, 'close');
}

/** Waits until the API server calls both admission webhooks. An API server uses a new webhook configuration only after a delay. */
export async function untilCalled(client: Client): Promise<void> {
  const metadata = { name: 'probe', namespace: 'default' };
  const dryRun = client.with({ dryRun: true });
  for (;;) {
    const good = await dryRun.create(new FooV1({ metadata, spec: { count: 1 } }));
    const isRejected = await dryRun.create(new FooV1({ metadata, spec: { count: 9 } })).then(
      () => false,
      () => true,
    );
    if (good.metadata.labels?.['team'] === 'none' && isRejected) return;
    await sleep(20);
  }
}

/** Tests `kubewright dev --cluster --webhook-address` on the given server. */
export function testDevelopingWebhooks(server: NonNullable<TestEnvironmentOptions['server']>): void {
  void it('kubewright dev registers the webhooks at an address of this machine, and restores the previous state at the end', async () => {
    await using cluster = await Cluster.start(server);
    const { client } = cluster;
    const project = await cluster.project();
    // The conversion of a deployed operator, which has injected its CA bundle.
    assert.equal((await project.run(['install'], variables(project))).exitCode, 0);
    const installed = await cluster.definition();
    await client.patch(installed, {
      merge: { spec: { conversion: { webhook: { clientConfig: { caBundle: CA } } } } },
    } as never);
    const before = (await cluster.definition()).spec.conversion;

    await using dev = cluster.dev(project);
    await dev.until(
      /^this process converts foos\.example\.com instead of Service foo-operator-system\/foo-operator-webhook, until this command ends$/,
    );
    await dev.until(SERVED);
    await dev.until(/^running after/);
    const metadata = { name: 'one', namespace: 'default' };
    await untilCalled(client);
    await client.create(new FooV1({ metadata, spec: { count: 2 } }));
    assert.equal((await client.live.get(FooV2, metadata)).spec.count, 20);
    assert.equal((await client.live.get(FooV1, metadata)).metadata.labels?.['team'], 'none');
    const bad = new FooV1({ metadata: { ...metadata, name: 'two' }, spec: { count: 6 } });
    await assert.rejects(client.create(bad), {
      status: 422,
      message: /spec\.count: Invalid value: 6: must be at most 5/,
    });
    const [configuration] = await client.live.list(ValidatingWebhookConfiguration, SESSION);
    const [webhook] = configuration?.webhooks ?? [];
    assert.equal(webhook?.failurePolicy, 'Ignore');
    assert.match(webhook?.clientConfig.url ?? '', /^https:\/\/127\.0\.0\.1:\d+\/validate-example-com-v1-foo$/);
    assert.match((await cluster.definition()).spec.conversion?.webhook?.clientConfig?.url ?? '', /^https:\/\/127/);
    assert.equal((await cluster.remains()).length, 4);

    // A save registers the changed webhooks.
    await project.edit('src/main.ts', 'manager.add(FooValidator);', '');
    await dev.until(/^the API server calls the webhooks of the operator: defaulting of Foo; conversion of Foo$/);
    assert.deepEqual(await client.live.list(ValidatingWebhookConfiguration, SESSION), []);

    await end(dev);
    assert.deepEqual(await cluster.remains(), []);
    assert.deepEqual((await cluster.definition()).spec.conversion, before);
    assert.equal((await cluster.definition()).metadata.annotations?.['kubewright.dev/dev-conversion'], undefined);
    assert.deepEqual(
      (await project.files('.kubewright')).filter((name) => name.includes('session-')),
      [],
    );
  });

  void it('kubewright dev immediately removes the webhooks that a killed kubewright dev of the same project has left', async () => {
    await using cluster = await Cluster.start(server);
    const project = await cluster.project();
    await using killed = cluster.dev(project);
    await killed.until(/^running after/);
    await kill(killed);
    assert.equal((await cluster.remains()).length, 4);
    await using next = cluster.dev(project);
    await next.until(
      /^deleted ValidatingWebhookConfiguration foo-operator-dev-\w+-validating: 'kubewright dev' of .+@.+ \(Lease default\/foo-operator-dev-\w+\) ended without removing its webhooks$/,
    );
    await next.until(/^restored the conversion of foos\.example\.com: /);
    await next.until(SERVED);
    await next.until(/^running after/);
    const metadata = { name: 'one', namespace: 'default' };
    await cluster.client.create(new FooV1({ metadata, spec: { count: 2 } }));
    assert.equal((await cluster.client.live.get(FooV2, metadata)).spec.count, 20);
    assert.equal((await cluster.remains()).length, 4);
    await end(next);
    assert.deepEqual(await cluster.remains(), []);
    assert.deepEqual(
      (await project.files('.kubewright')).filter((name) => name.includes('session-')),
      [],
    );
  });

  void it('kubewright dev reports that the API server cannot reach the address, and leaves nothing in the cluster', async () => {
    await using cluster = await Cluster.start(server);
    const project = await cluster.project();
    // No process can accept connections at the broadcast address of the loopback network.
    const args = ['dev', '--cluster', '--once', '--webhook-address', '127.255.255.255'];
    const { exitCode, stderr } = await project.run(args, variables(project));
    assert.equal(exitCode, 4);
    assert.match(
      stderr,
      /^error: the API server of the cluster of context '.*' \(https:.*\) cannot call webhooks at https:\/\/127\.255\.255\.255:\d+: Internal error occurred: failed calling webhook .*; set --webhook-address to an address of this machine that the API server can reach/m,
    );
    assert.deepEqual(await cluster.remains(), []);
    assert.equal(await cluster.client.find(CustomResourceDefinition, { name: DEFINITION }), undefined);
  });
}
