import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReady } from '@kubewright/api';
import { Pod } from '@kubewright/api/core/v1';
import { isConverged, type VirtualMachine } from '@kubewright/example-virtual-machine';
import { isInvalid } from '@kubewright/runtime';
import { RunningExample } from './running-example.js';

test('virtual-machine behaves as its README describes', async (t) => {
  await using example = await RunningExample.start('virtual-machine');
  const { env } = example;
  const [sample] = example.samples as readonly VirtualMachine[];
  assert.ok(sample);
  const podOf = (name: string) => env.client.get(Pod, { name, namespace: 'default' });
  const withMemory = async (memory: number) =>
    env.client.patch(await env.read(sample), ({ spec }) => {
      spec.memory = memory;
    });

  await t.test('the operator boots the sample, and records an event', async () => {
    await env.client.create(sample);
    const { status } = await example.until(sample, isConverged);
    assert.match(status?.address ?? '', /^10\./);
    assert.equal(await example.reported(sample, 'Booted'), 'machine web runs centos-7.9');
  });

  await t.test('the API server rejects too little memory', async () => {
    await assert.rejects(withMemory(64), (error) => {
      assert.ok(isInvalid(error));
      assert.match(String(error), /spec\.memory: Invalid value: 64: .* should be greater than or equal to 128/);
      return true;
    });
  });

  await t.test('the operator recreates a Pod that a user deletes', async () => {
    const pod = await podOf('web');
    await env.client.delete(pod);
    await example.until(pod, (now) => now.metadata.uid !== pod.metadata.uid && isReady(now));
    await example.until(sample, isConverged);
  });

  await t.test('the operator, after a restart of the API server, restarts a machine whose memory changes', async () => {
    const pod = await podOf('web');
    await example.killServer();
    await example.untilPrinted(/"outage":"begin"/);
    await example.startServer();
    await withMemory(4096);
    await example.until(pod, (now) => now.metadata.uid !== pod.metadata.uid && isReady(now));
    await example.until(sample, isConverged);
    assert.equal((await podOf('web')).spec.containers[0]?.resources?.limits?.['memory'], '4Gi');
  });

  await t.test('the operator deletes the children of a machine before the machine', async () => {
    const pod = await podOf('web');
    await env.client.delete(sample);
    await env.untilDeleted(sample);
    await env.untilDeleted(pod);
    assert.equal(await example.reported(sample, 'Released'), 'machine web was shut down');
  });

  await example.stop();
  assert.deepEqual(example.unusedPermissions(), []);
});
