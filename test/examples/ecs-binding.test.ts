import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EcsBinding, isConverged } from '@kubewright/example-ecs-binding';
import { isInvalid } from '@kubewright/runtime';
import { OperatorProcess } from './operator-process.js';
import { RunningExample } from './running-example.js';
import { shownOutput } from './shown-output.js';

test('ecs-binding behaves as its README describes', async (t) => {
  await using example = await RunningExample.start('ecs-binding');
  const { env } = example;
  const [sample] = example.samples as readonly EcsBinding[];
  assert.ok(sample);

  await t.test('the operator labels the sample, and records an event with the labels', async () => {
    await env.client.create(sample);
    const { metadata } = await example.until(sample, isConverged);
    assert.deepEqual({ ...metadata.labels }, { cluster: 'k8s-cluster', node: 'node-1', 'inner-ip': '10.0.0.1' });
    assert.equal(
      await example.reported(sample, 'Labeled'),
      'labels are cluster=k8s-cluster,node=node-1,inner-ip=10.0.0.1',
    );
  });

  await t.test('the API server rejects an invalid address', async () => {
    await assert.rejects(moveTo('300.1.1.1'), (error) => {
      assert.ok(isInvalid(error));
      assert.match(String(error), /spec\.innerip: Invalid value: .*ipv4/);
      return true;
    });
  });

  await t.test('the operator restores a label that a user removes', async () => {
    const { metadata } = await env.client.patch(await env.read(sample), (draft) => {
      delete draft.metadata.labels['cluster'];
    });
    assert.equal(metadata.labels?.['cluster'], undefined);
    await example.until(sample, isConverged);
  });

  await t.test(
    'the operator, after a restart of the API server, updates the labels when the spec changes',
    async () => {
      await example.killServer();
      await example.untilPrinted(/"outage":"begin"/);
      await example.startServer();
      await moveTo('10.0.0.9');
      await example.until(sample, ({ metadata }) => metadata.labels?.['inner-ip'] === '10.0.0.9');
    },
  );

  await example.stop();
  assert.deepEqual(example.unusedPermissions(), []);

  await t.test(
    'the program direct, which uses a client, an informer, and a queue, also updates the labels',
    async () => {
      await using program = await example.run('ecs-binding/dist/direct.js');
      await program.until(/^controller: Add event, ecsbinding \[ecs-1\]$/m);
      await moveTo('10.0.0.10');
      await example.until(sample, ({ metadata }) => metadata.labels?.['inner-ip'] === '10.0.0.10');
      await program.until(/^controller: Update event, ecsbinding \[ecs-1\]$/m);
      await program.until(/^labeled ecs-1, one of 1$/m);
      await env.client.delete(sample);
      await program.until(/^controller: Delete event, ecsbinding \[ecs-1\]$/m);
      await program.until(/^ecs-1 no longer exists$/m);
      const { code, err } = await program.terminate();
      assert.deepEqual([code, err], [0, '']);
    },
  );

  await t.test(
    'the program clientset calls the eight methods of the interface in the article, and prints the output in the README',
    async () => {
      await using program = await OperatorProcess.start('ecs-binding/dist/clientset.js', env);
      const { code, out, err } = await program.ended;
      assert.deepEqual([code, err], [0, '']);
      assert.match(out, shownOutput('ecs-binding', 'clientset'));
    },
  );

  async function moveTo(innerip: string): Promise<void> {
    await env.client.patch(await env.read(sample!), ({ spec }) => {
      spec.innerip = innerip;
    });
  }
});
