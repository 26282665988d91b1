import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EcsBinding, isConverged } from '@kubewright/example-ecs-binding';
import { isInvalid } from '@kubewright/runtime';
import { RunningExample } from './running-example.js';

test('ecs-binding does what its README says', { timeout: 120_000 }, async (t) => {
  await using example = await RunningExample.start('ecs-binding');
  const { env } = example;
  const [sample] = example.samples as readonly EcsBinding[];
  assert.ok(sample);

  await t.test('the sample is labelled', async () => {
    await env.client.create(sample);
    const { metadata } = await example.until(sample, isConverged);
    assert.deepEqual({ ...metadata.labels }, { cluster: 'k8s-cluster', node: 'node-1', 'inner-ip': '10.0.0.1' });
  });

  await t.test('what is no address is refused', async () => {
    await assert.rejects(moveTo('300.1.1.1'), (error) => {
      assert.ok(isInvalid(error));
      assert.match(String(error), /spec\.innerip: Invalid value: .*ipv4/);
      return true;
    });
  });

  await t.test('a label that is taken away by hand comes back', async () => {
    const { metadata } = await env.client.patch(await env.read(sample), (draft) => {
      delete draft.metadata.labels['cluster'];
    });
    assert.equal(metadata.labels?.['cluster'], undefined);
    await example.until(sample, isConverged);
  });

  await t.test('after the API server was killed, labels follow the spec as before', async () => {
    await example.killServer();
    await example.untilSaid(/"level":"warn".*cannot watch/);
    await example.startServer();
    await moveTo('10.0.0.9');
    await example.until(sample, ({ metadata }) => metadata.labels?.['inner-ip'] === '10.0.0.9');
  });

  await example.stop();
  assert.deepEqual(example.unusedRights(), []);

  await t.test('with client, informer and queue used directly it does the same', async () => {
    await using program = await example.run('ecs-binding/dist/direct.js');
    await program.until(/labelled ecs-1, one of 1/);
    await moveTo('10.0.0.10');
    await example.until(sample, ({ metadata }) => metadata.labels?.['inner-ip'] === '10.0.0.10');
    const { code, err } = await program.terminate();
    assert.deepEqual([code, err], [0, '']);
  });

  async function moveTo(innerip: string): Promise<void> {
    await env.client.patch(await env.read(sample!), ({ spec }) => {
      spec.innerip = innerip;
    });
  }
});
