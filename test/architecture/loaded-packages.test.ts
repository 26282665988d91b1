import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ApiServer } from '@kubewright/apiserver';

const program = fileURLToPath(new URL('./loaded-packages-process.js', import.meta.url));

test('a manager loads no library for what was not asked of it: metrics, certificates, spans, a kubeconfig', async (t) => {
  const server = await ApiServer.start();
  t.after(() => server.stop());
  const { url, certificateAuthority: ca, token } = server;
  const child = fork(program, [JSON.stringify({ server: url, ca, token })], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit');
  const [packages] = (await Promise.race([once(child, 'message'), exit])) as [unknown];
  assert.deepEqual(packages, ['pino', 'reflect-metadata', 'tsyringe', 'undici']);
  assert.deepEqual(await exit, [0, null]);
});

test('the command line loads no package before a command needs it', async () => {
  const help = fileURLToPath(new URL('./loaded-by-help-process.js', import.meta.url));
  const child = fork(help, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exit = once(child, 'exit');
  const [said] = (await Promise.race([once(child, 'message'), exit])) as [unknown];
  assert.deepEqual(said, ['commander', 'packages/api', 'packages/cli']);
  assert.deepEqual(await exit, [0, null]);
});
