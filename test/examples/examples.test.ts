import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineKind, type KindRef, type KubeObject } from '@kubewright/api';
import { crdFor } from '@kubewright/api/metadata';
import { ApiServer } from '@kubewright/apiserver';
import * as foo from '@kubewright/example-foo';
import * as virtualMachine from '@kubewright/example-virtual-machine';
import { type Cluster, connect } from '@kubewright/runtime';
import { TestEnvironment } from '@kubewright/testing';
import { OperatorProcess, run } from './operator-process.js';

for (const [name, example] of Object.entries({ 'virtual-machine': virtualMachine, foo })) {
  test(`npm run example -- ${name} --once converges and ends`, async () => {
    const { code, out, err } = await run(['scripts/example.mjs', name, '--once']);
    assert.equal(code, 0, out + err);
    assert.match(out, /export KUBECONFIG=/);
    assert.match(out, /reconciled/);
  });

  test(`the main program of ${name} converges with a kubeconfig alone, and stops on SIGTERM`, async () => {
    await using server = await ApiServer.start({ workloads: true });
    await using cluster = await connect({ kubeconfig: { inline: server.kubeconfig() } });
    await cluster.client.create(crdFor(example.kinds));
    await using operator = await OperatorProcess.start(`${name}/dist/main.js`, server);
    for (const sample of example.samples) {
      await cluster.client.create(sample);
      await seen(cluster, sample, (object) => example.isConverged(object as never));
    }
    assert.equal((await operator.terminate()).code, 0);
  });
}

test('the operator without decorators does its work', async () => {
  await using server = await ApiServer.start();
  await using cluster = await connect({ kubeconfig: { inline: server.kubeconfig() } });
  await cluster.client.create(crdFor(virtualMachine.kinds));
  await using operator = await OperatorProcess.start('virtual-machine/dist/plain.js', server);
  const [sample] = virtualMachine.samples;
  assert.ok(sample);
  await cluster.client.create(sample);
  await seen(cluster, sample, (vm) => (vm as { status?: { phase?: string } }).status?.phase === 'Complete');
  assert.equal((await operator.terminate()).code, 0);
});

test('the operator of a kind that is not its own knows only the name of it', async () => {
  const Machine = defineKind<{ status?: string }>({
    group: 'cloud.waibizi.com',
    version: 'v1',
    kind: 'VirtualMachine',
    spec: { type: 'object', properties: { status: { type: 'string' } } },
  });
  await using server = await ApiServer.start();
  await using cluster = await connect({ kubeconfig: { inline: server.kubeconfig() } });
  await cluster.client.create(crdFor(Machine));
  await using operator = await OperatorProcess.start('virtual-machine/dist/dynamic.js', server);
  const machine = new Machine({ metadata: { name: 'm', namespace: 'default' }, spec: { status: 'creating' } });
  await cluster.client.create(machine);
  await seen(cluster, machine, (vm) => (vm as { spec?: { status?: string } }).spec?.status === 'complete');
  assert.equal((await operator.terminate()).code, 0);
});

test('a reconciler runs unchanged when plain objects say what its decorators say', async () => {
  const [decorated] = virtualMachine.kinds;
  const [Controller] = virtualMachine.controllers;
  const [sample] = virtualMachine.samples;
  assert.ok(decorated && Controller && sample);
  const { group, names, versions } = crdFor(decorated).spec;
  const [version] = versions;
  const schema = version?.schema?.openAPIV3Schema as { properties: { spec: object; status: object } };
  const VirtualMachine = defineKind<typeof sample.spec, object>({
    group,
    version: version?.name ?? '',
    kind: names.kind,
    spec: schema.properties.spec,
    status: schema.properties.status,
  });
  await using env = await TestEnvironment.start({ kinds: [VirtualMachine], workloads: true });
  const manager = env.manager();
  const { Pod, Service } = await import('@kubewright/api/core/v1');
  const reconciler = new Controller(manager.client, manager.events);
  manager.control({ for: VirtualMachine, owns: [Pod, Service] }, reconciler);
  await manager.start();
  const vm = await env.client.create(sample);
  await env.settled();
  assert.equal((await env.read(vm)).status?.phase, 'Complete');
});

test('an example that is not there is answered with those that are', async () => {
  const { code, err } = await run(['scripts/example.mjs', 'nothing']);
  assert.equal(code, 1);
  assert.match(err, /where NAME is foo or virtual-machine/);
});

test('a port in use is one clear line and exit code 1', async () => {
  await using server = await ApiServer.start();
  const { code, err } = await run(['scripts/example.mjs', 'foo', '--port', String(server.port)]);
  assert.equal(code, 1);
  assert.match(err, new RegExp(`^[^\\n]*${server.port}[^\\n]*\\n$`));
});

/** Resolves when the object is as it should be. */
async function seen(cluster: Cluster, object: KubeObject, isSo: (object: KubeObject) => boolean): Promise<void> {
  const kind = virtualMachine.kinds.find(() => object.kind === 'VirtualMachine') ?? foo.kinds[0];
  await using informer = await cluster.cache.informer(kind as KindRef);
  for await (const change of informer.changes()) {
    if (change.object.metadata.name === object.metadata.name && isSo(change.object)) return;
  }
}
