import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deployment } from '@kubewright/api/apps/v1';
import { Foo, isConverged } from '@kubewright/example-foo';
import { isInvalid } from '@kubewright/runtime';
import { RunningExample } from './running-example.js';

const inDefault = (name: string) => ({ name, namespace: 'default' });

test('foo behaves as its README describes', async (t) => {
  const variables = { KUBEWRIGHT_LEADER_ELECTION_NAMESPACE: 'default', KUBEWRIGHT_LOG_LEVEL: 'debug' };
  await using example = await RunningExample.start('foo', { variables });
  const { env } = example;
  const [sample] = example.samples as readonly Foo[];
  assert.ok(sample);
  const deployment = (name: string) => env.client.get(Deployment, inDefault(name));

  await t.test(
    'the operator creates the Deployment of the sample, and records the event of sample-controller',
    async () => {
      await env.client.create(sample);
      await example.until(sample, isConverged);
      const { metadata, spec } = await deployment('example-foo');
      assert.deepEqual(spec.selector.matchLabels, { app: 'nginx', controller: 'example' });
      assert.deepEqual([metadata.ownerReferences?.[0]?.kind, spec.replicas], ['Foo', 2]);
      assert.equal(await example.reported(sample, 'Synced'), 'Foo synced successfully');
    },
  );

  await t.test('the operator reconciles an unchanged Foo after the resync period', async () => {
    await example.untilPrinted(/"object":"Foo default\/example"[^\n]*"causes":\["modified"\]/);
  });

  await t.test('the API server rejects too many replicas', async () => {
    const many = env.client.patch(await env.read(sample), ({ spec }) => {
      spec.replicas = 11;
    });
    await assert.rejects(many, (error) => {
      assert.ok(isInvalid(error));
      assert.match(String(error), /spec\.replicas: Invalid value: 11: .* should be less than or equal to 10/);
      return true;
    });
  });

  await t.test('the operator does not change a Deployment of another owner, and records an event', async () => {
    const theirs = new Deployment({
      metadata: inDefault('theirs'),
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'theirs' } },
        template: {
          metadata: { labels: { app: 'theirs' } },
          spec: { containers: [{ name: 'nginx', image: 'nginx:latest' }] },
        },
      },
    });
    await env.client.create(theirs);
    const taken = new Foo({ metadata: inDefault('taken'), spec: { deploymentName: 'theirs' } });
    await env.client.create(taken);
    assert.equal(
      await example.reported(taken, 'ErrResourceExists'),
      'Resource "theirs" already exists and is not managed by Foo',
    );
    const { metadata, spec } = await deployment('theirs');
    assert.deepEqual([metadata.ownerReferences, spec.replicas], [undefined, 0]);
    await env.client.delete(taken);
  });

  await t.test('the operator restores a Deployment that a user deletes or scales', async () => {
    const first = await deployment('example-foo');
    await env.client.delete(first);
    await env.untilDeleted(first);
    const isBack = ({ metadata, spec, status }: Deployment): boolean =>
      metadata.uid !== first.metadata.uid && spec.replicas === 2 && status?.availableReplicas === 2;
    const second = await example.until(first, isBack);
    await env.client.patch(second, ({ spec }) => {
      spec.replicas = 5;
    });
    await example.until(second, isBack);
  });

  await t.test(
    'the operator, after a restart of the API server, replaces the Deployment when spec.deploymentName changes',
    async () => {
      const old = await deployment('example-foo');
      await example.killServer();
      await example.untilPrinted(/"outage":"begin"/);
      await example.startServer();
      await env.client.patch(await env.read(sample), ({ spec }) => {
        spec.deploymentName = 'renamed';
      });
      await env.untilDeleted(old);
      await example.until(sample, isConverged);
      assert.equal((await deployment('renamed')).spec.replicas, 2);
    },
  );

  await example.stop();
  assert.deepEqual(example.unusedPermissions(), []);
});
