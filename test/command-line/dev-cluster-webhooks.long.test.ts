import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@kubewright/api/admissionregistration/v1';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { Lease } from '@kubewright/api/coordination/v1';
import { type Client, InMemoryCertificates } from '@kubewright/runtime';
import { TestEnvironment } from '@kubewright/testing';
import type { FixtureProject } from './fixture-project.js';
import { RunningCommand } from './running-command.js';
import { FooV1, FooV2, projectWithWebhooks } from './webhook-project.js';

const ADDRESS = ['--webhook-address', '127.0.0.1'];
const SUMMARY = 'defaulting of Foo; validation of Foo; conversion of Foo';
const SERVED = new RegExp(`^the API server calls the webhooks of the operator: ${SUMMARY}$`);
const DEFINITION = 'foos.example.com';
const CA = Buffer.from(new InMemoryCertificates().caBundle).toString('base64');
const SESSION = { labels: 'kubewright.dev/dev-session' };

const EXPIRED = '2000-01-01T00:00:00.000000Z';

/** A cluster, and projects with webhooks whose commands use the cluster. */
class Cluster implements AsyncDisposable {
  readonly env: TestEnvironment;
  readonly #projects: FixtureProject[] = [];

  private constructor(env: TestEnvironment) {
    this.env = env;
  }
  static async start(): Promise<Cluster> {
    return new Cluster(await TestEnvironment.start());
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
  /** Returns the names of all objects of sessions, sorted. */
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
function variables(project: FixtureProject): { readonly KUBECONFIG: string } {
  return { KUBECONFIG: join(project.root, 'kubeconfig') };
}

/** Ends a command with SIGINT, and checks that it succeeds. */
async function end(dev: RunningCommand): Promise<void> {
  dev.child.kill('SIGINT');
  assert.equal(await dev.closed, 0, dev.lines.join('\n'));
}
/** Kills a command with SIGKILL. */
async function kill({ process }: ReturnType<Cluster['dev']>): Promise<void> {
  process.kill('SIGKILL');
  await once(process, 'close');
}

describe('kubewright dev --cluster with webhooks', () => {
  it('registers the webhooks at an address of this machine, and restores the previous state at the end', async () => {
    await using cluster = await Cluster.start();
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
    await client.create(new FooV1({ metadata, spec: { count: 2 } }));
    assert.equal((await client.live.get(FooV2, metadata)).spec.count, 20);
    assert.equal((await client.live.get(FooV1, metadata)).metadata.labels?.['team'], 'none');
    await assert.rejects(client.create(new FooV1({ metadata: { ...metadata, name: 'two' }, spec: { count: 6 } })), {
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

  it('removes the webhooks of a killed session of the same project immediately', async () => {
    await using cluster = await Cluster.start();
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

  it('kubewright doctor reports the webhooks of a killed session, and undeploy removes them', async () => {
    await using cluster = await Cluster.start();
    const project = await cluster.project();
    await using killed = cluster.dev(project);
    await killed.until(/^running after/);
    await kill(killed);
    const [lease] = await cluster.client.live.list(Lease, SESSION);
    assert.ok(lease);
    await cluster.client.patch(lease, { merge: { spec: { renewTime: EXPIRED } } });
    const checked = await project.run(['doctor', '--cluster'], variables(project));
    assert.match(
      checked.stdout,
      /^warning 'kubewright dev' of .+ ended without removing its webhooks, so that objects of foos\.example\.com cannot be converted$/m,
    );
    const undeployed = await project.run(['undeploy'], variables(project));
    assert.equal(undeployed.exitCode, 0);
    assert.match(undeployed.stdout, /^deleted MutatingWebhookConfiguration foo-operator-dev-\w+-mutating: /m);
    assert.match(undeployed.stdout, /^restored the conversion of foos\.example\.com: /m);
    assert.match(undeployed.stdout, /^foo-operator is not deployed in /m);
    assert.deepEqual(await cluster.remains(), []);
  });

  it('keeps the webhooks of another live session, and converts the kind after that session has expired', async () => {
    await using cluster = await Cluster.start();
    const { client } = cluster;
    await using first = cluster.dev(await cluster.project());
    await first.until(/^running after/);
    const [held] = await client.live.list(Lease, SESSION);
    assert.ok(held);
    const url = (await cluster.definition()).spec.conversion?.webhook?.clientConfig?.url;

    const project = await cluster.project();
    await using second = cluster.dev(project);
    await second.until(
      new RegExp(
        `^warning: the API server also calls the webhooks of 'kubewright dev' of .+ \\(Lease default/${held.metadata.name}\\)$`,
      ),
    );
    await second.until(
      /^warning: another 'kubewright dev' \(Lease .*\) converts foos\.example\.com; this process converts/,
    );
    await second.until(/^running after/);
    assert.equal((await cluster.definition()).spec.conversion?.webhook?.clientConfig?.url, url);
    assert.equal((await client.live.list(ValidatingWebhookConfiguration, SESSION)).length, 2);
    const refused = await project.run(['install'], variables(project));
    assert.equal(refused.exitCode, 4);
    assert.match(
      refused.stderr,
      /^error: cannot apply foos\.example\.com: 'kubewright dev' of .+ converts its objects \(Lease default\/.+\); end that command, or wait until its Lease expires$/m,
    );

    await kill(first);
    await client.patch(held, { merge: { spec: { renewTime: EXPIRED } } });
    await second.until(/^restored the conversion of foos\.example\.com: /);
    await second.until(/^this process converts foos\.example\.com/);
    const metadata = { name: 'one', namespace: 'default' };
    await client.create(new FooV1({ metadata, spec: { count: 2 } }));
    assert.equal((await client.live.get(FooV2, metadata)).spec.count, 20);
    assert.equal((await client.live.list(ValidatingWebhookConfiguration, SESSION)).length, 1);
    await end(second);
    assert.deepEqual(await cluster.remains(), []);
  });

  it('registers the webhooks again after another command has removed them', async () => {
    await using cluster = await Cluster.start();
    const { client } = cluster;
    await using dev = cluster.dev(await cluster.project());
    await dev.until(/^running after/);
    const [lease] = await client.live.list(Lease, SESSION);
    assert.ok(lease);
    await client.delete(lease);
    await dev.until(
      /^warning: another command has removed the webhooks of this process, because its Lease had expired; registering/,
    );
    await dev.until(/^this process converts foos\.example\.com/);
    await dev.until(/^registered the webhooks again$/);
    const again = (await client.live.list(ValidatingWebhookConfiguration, SESSION)).map(
      ({ metadata }) => metadata.name,
    );
    assert.equal(again.length, 1);
    assert.notEqual(again[0], `${lease.metadata.name}-validating`);
    await end(dev);
    assert.deepEqual(await cluster.remains(), []);
  });

  it('removes the webhooks from the cluster while the operator does not run', async () => {
    await using cluster = await Cluster.start();
    const { client } = cluster;
    const project = await cluster.project();
    const method = 'validate({ spec }: Foo): readonly Violation[] {';
    await project.edit(
      'src/webhooks/foo-validator.ts',
      method,
      `${method}\n    if (spec.count === 4) process.exit(1);`,
    );
    await using dev = cluster.dev(project);
    await dev.until(/^running after/);
    // The failure policy is Ignore, so that the crash does not reject the request.
    await client.create(new FooV1({ metadata: { name: 'four', namespace: 'default' }, spec: { count: 4 } }));
    await dev.until(/^error: the operator exited with code 1$/);
    await dev.until(/^removed the webhooks from the cluster until the operator runs again$/);
    assert.deepEqual(
      (await cluster.remains()).map((name) => name.split(' ')[0]),
      ['Lease'],
    );
    await project.edit('src/webhooks/foo-validator.ts', 'process.exit(1)', 'return []');
    await dev.until(SERVED);
    assert.equal((await cluster.remains()).length, 4);
    await end(dev);
  });

  it('reports that the API server cannot reach the address, and leaves nothing in the cluster', async () => {
    await using cluster = await Cluster.start();
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

  it('names the option if the address is missing, and rejects an address that is not valid', async () => {
    await using cluster = await Cluster.start();
    const project = await cluster.project();
    await using dev = cluster.dev(project, []);
    await dev.until(new RegExp(`^the webhooks are not registered in the cluster: ${SUMMARY}$`));
    await dev.until(
      /^to register them, pass --webhook-address HOST with an address of this machine that the cluster can reach$/,
    );
    await dev.until(/^running after/);
    await end(dev);
    assert.deepEqual(await cluster.remains(), []);
    const invalid = await project.run(['dev', '--cluster', '--webhook-address', '1.2.3'], variables(project));
    assert.deepEqual([invalid.exitCode, invalid.stdout], [2, '']);
    assert.match(invalid.stderr, /^error: invalid --webhook-address 1\.2\.3: use an IP address or a DNS name/);
    const alone = await project.run(['dev', ...ADDRESS]);
    assert.equal(
      alone.stderr,
      'error: --webhook-address requires --cluster: add --cluster, or remove --webhook-address\n',
    );
  });
});
