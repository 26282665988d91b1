import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineKind } from '@kubewright/api';
import { crdFor } from '@kubewright/api/metadata';
import { ApiServer } from '@kubewright/apiserver';
import * as virtualMachine from '@kubewright/example-virtual-machine';
import { TestEnvironment } from '@kubewright/testing';
import { run } from './operator-process.js';

for (const name of ['virtual-machine', 'foo', 'cloud-manager', 'ecs-binding', 'cron-job', 'dns-zone', 'database']) {
  test(`npm run example -- ${name} --once converges and ends`, async () => {
    const { code, out, err } = await run(['scripts/example.mjs', name, '--once']);
    assert.equal(code, 0, out + err);
    assert.match(out, /export KUBECONFIG=/);
    assert.match(out, /reconciled/);
  });
}

test('a reconciler runs unchanged with a kind and a controller that are declared without decorators', async () => {
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

test('npm run example runs the requested program of an example, and lists the valid programs if the name is unknown', async () => {
  const { code, out, err } = await run(['scripts/example.mjs', 'project', 'store', '--once']);
  assert.equal(code, 0, out + err);
  assert.match(out, /─── store\nin the store: 0\n/);
  const unknown = await run(['scripts/example.mjs', 'client-go-tour', 'nothing']);
  assert.deepEqual([unknown.code, unknown.out], [1, '']);
  assert.match(unknown.err, /no program 'nothing': use one of deployment, work-queue,/);
});

for (const [name, program, output] of [
  ['virtual-machine', 'dynamic', /^synced default\/public-wx$/m],
  ['ecs-binding', 'direct', /^labeled ecs-2, one of 2$/m],
  ['ecs-binding', 'clientset', /^DeleteCollection: 0 objects left$/m],
] as const) {
  test(`npm run example -- ${name} ${program} --once runs the program ${program} instead of the operator, and ends`, async () => {
    const { code, out, err } = await run(['scripts/example.mjs', name, program, '--once']);
    assert.equal(code, 0, out + err);
    assert.match(out, output);
  });
}

test('npm run example lists the programs of an example when the requested program does not exist', async () => {
  const unknown = await run(['scripts/example.mjs', 'virtual-machine', 'nothing']);
  assert.deepEqual([unknown.code, unknown.out], [1, '']);
  assert.match(unknown.err, /no program 'nothing': use one of dynamic, or omit the program to run the operator/);
  assert.match((await run(['scripts/example.mjs', 'cron-job', 'nothing'])).err, /no program 'nothing': omit 'nothing'/);
});

test('npm run example lists the examples when the requested example does not exist', async () => {
  const { code, err } = await run(['scripts/example.mjs', 'nothing']);
  assert.equal(code, 1);
  assert.match(err, /where NAME is \S.* or virtual-machine/);
});

test('npm run example reports a port in use in one line and exits with 1', async () => {
  await using server = await ApiServer.start();
  const { code, err } = await run(['scripts/example.mjs', 'foo', '--port', String(server.port)]);
  assert.equal(code, 1);
  assert.match(err, new RegExp(`^[^\\n]*${server.port}[^\\n]*\\n$`));
});
