import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ValidatingWebhookConfiguration } from '@kubewright/api/admissionregistration/v1';
import { Lease } from '@kubewright/api/coordination/v1';
import {
  ADDRESS,
  Cluster,
  end,
  EXPIRED,
  kill,
  SERVED,
  SESSION,
  SUMMARY,
  testDevelopingWebhooks,
  variables,
} from './developing-webhooks.js';
import { FooV1, FooV2 } from './webhook-project.js';

describe('kubewright dev --cluster with webhooks', () => {
  testDevelopingWebhooks('embedded');

  it('kubewright doctor reports the webhooks that a killed kubewright dev has left, and undeploy removes these webhooks', async () => {
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

  it('kubewright dev keeps the webhooks of another kubewright dev, and converts the kind after the Lease of the other has expired', async () => {
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

  it('kubewright dev registers its webhooks again after another command has removed its Lease', async () => {
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

  it('kubewright dev removes its webhooks from the cluster while the operator does not run', async () => {
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

  it('kubewright dev requests --webhook-address if the option is missing, and rejects an invalid address', async () => {
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
