import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineKind, type KubeObject } from '@kubewright/api';
import * as foo from '@kubewright/example-foo';
import * as virtualMachine from '@kubewright/example-virtual-machine';
import { startEnvironment } from '../server/start-environment.js';
import { OperatorProcess } from './operator-process.js';

for (const [name, example] of Object.entries({ 'virtual-machine': virtualMachine, foo })) {
  test(`the main program of ${name} converges with only a kubeconfig, and stops on SIGTERM`, async () => {
    await using env = await startEnvironment({ workloads: true, kinds: example.kinds });
    await using operator = await OperatorProcess.start(`${name}/dist/main.js`, env);
    for (const sample of example.samples) {
      await env.client.create(sample);
      await env.until<KubeObject>(sample, (object) => example.isConverged(object as never));
    }
    assert.equal((await operator.terminate()).code, 0);
  });
}

test('the program plain of virtual-machine, which uses no decorators, reconciles its objects', async () => {
  await using env = await startEnvironment({ kinds: virtualMachine.kinds, workloads: true });
  await using operator = await OperatorProcess.start('virtual-machine/dist/plain.js', env);
  const [sample] = virtualMachine.samples;
  assert.ok(sample);
  await env.client.create(sample);
  await env.until<KubeObject>(sample, (vm) => (vm as { status?: { phase?: string } }).status?.phase === 'Complete');
  assert.equal((await operator.terminate()).code, 0);
});

test('a program that declares no class reconciles a kind by its name', async () => {
  const Machine = defineKind<{ status?: string }>({
    group: 'cloud.waibizi.com',
    version: 'v1',
    kind: 'VirtualMachine',
    spec: { type: 'object', properties: { status: { type: 'string' } } },
  });
  await using env = await startEnvironment({ kinds: [Machine] });
  await using operator = await OperatorProcess.start('operators/virtual-machine/src/dynamic.js', env, {
    folder: 'test/dist',
  });
  const machine = new Machine({ metadata: { name: 'm', namespace: 'default' }, spec: { status: 'creating' } });
  await env.client.create(machine);
  await env.until<KubeObject>(machine, (vm) => (vm as { spec?: { status?: string } }).spec?.status === 'complete');
  assert.equal((await operator.terminate()).code, 0);
});
