import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Lease } from '@kubewright/api/coordination/v1';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { Program } from './programs/program.js';

let env: TestEnvironment;
before(async () => {
  env = await startEnvironment();
});
after(() => env[Symbol.asyncDispose]());

test('[MG-01] the program of a manager without a cluster configuration fails, and the error lists the searched locations', async () => {
  await using program = await Program.start('owning-its-process', []);
  const { code, out } = await program.ended();
  assert.equal(code, 1);
  assert.match(out, /no cluster to connect to: KUBECONFIG is not set/);
});

test('[CS-32] a stopped manager that was the leader, with a controller that warmed up, does not keep the process alive', async () => {
  await using program = await Program.start('ending-by-itself', ['leader'], env);
  const { code, out } = await program.ended();
  assert.deepEqual([code, out], [0, 'stopped\n']);
});

for (const [way, cases] of Object.entries({
  plain: 'MG-62, CS-33',
  'with a stopped controller': 'CN-08',
  'never started': 'CN-09',
  events: 'MG-63',
  'events with the core API': 'MG-63',
  late: 'MG-64',
  cluster: 'RG-17',
})) {
  test(`[${cases}] the process of a stopped manager ends by itself (variant of the program: ${way})`, async () => {
    await using program = await Program.start('ending-by-itself', [way], env);
    const { code, out } = await program.ended();
    assert.deepEqual([code, out], [0, 'stopped\n']);
  });
}

test('[RG-18] the first signal stops the manager gracefully, and the process ends by itself', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    await using program = await Program.start('owning-its-process', [], env);
    await program.untilPrinted('started');
    program.kill(signal);
    const { code, out } = await program.ended();
    assert.deepEqual([code, out], [0, 'started\nrunnable ended\n']);
  }
});

test('an operator accepts the flags of kubebuilder', async () => {
  const flags = ['--leader-elect', '--leader-election-id=by-flags', '--leader-election-namespace', 'default'];
  await using program = await Program.start('owning-its-process', [...flags, '--metrics-bind-address=0'], env);
  await program.untilPrinted('started');
  const lease = await env.client.live.get(Lease, { name: 'by-flags', namespace: 'default' });
  assert.notEqual(lease.spec?.holderIdentity ?? '', '');
  program.kill('SIGTERM');
  assert.equal((await program.ended()).code, 0);
});

test('an invalid flag ends the operator before it starts', async () => {
  await using program = await Program.start('owning-its-process', ['--grace-period=soon'], env);
  const { code, out } = await program.ended();
  assert.equal(code, 1);
  assert.match(out, /--grace-period is 'soon'; use a duration such as '30s', or false to disable/);
});

test('a manager that owns the process exits with code 1 after a failure', async () => {
  await using program = await Program.start('owning-its-process', ['failing'], env);
  const { code, out } = await program.ended();
  assert.deepEqual([code, out.includes('runnable ended')], [1, true]);
});

test('a signal during the start ends the process gracefully, with exit code 0 and without a stack trace', async () => {
  await using program = await Program.start('waiting-for-a-kind', [], env);
  await program.untilPrinted('does not serve Missing');
  program.kill('SIGTERM');
  const { code, out } = await program.ended();
  assert.deepEqual([code, out.includes('the manager is stopping')], [0, false]);
});

test('the pretty log format has no colors without a terminal', async () => {
  await using program = await Program.start('waiting-for-a-kind', [], env);
  await program.untilPrinted('does not serve Missing');
  program.kill('SIGTERM');
  assert.ok(!(await program.ended()).out.includes('\u001B'));
});
