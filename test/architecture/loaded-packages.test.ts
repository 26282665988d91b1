import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ApiServer } from '@kubewright/apiserver';

const program = fileURLToPath(new URL('./loaded-packages-process.js', import.meta.url));

/** Returns the packages that a manager with these options loads. */
async function packagesLoadedWith(options: object): Promise<unknown> {
  const child = fork(program, [JSON.stringify(options)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exit = once(child, 'exit');
  const [packages] = (await Promise.race([once(child, 'message'), exit])) as [unknown];
  assert.deepEqual(await exit, [0, null]);
  return packages;
}

describe('a manager', () => {
  let server: ApiServer;
  before(async () => {
    server = await ApiServer.start();
  });
  after(() => server.stop());

  test('a manager does not load libraries for unused features: metrics, certificates, spans, a kubeconfig', async () => {
    const { url, certificateAuthority: ca, token } = server;
    const connection = { server: url, ca, token };
    assert.deepEqual(await packagesLoadedWith({ connection }), ['pino', 'reflect-metadata', 'tsyringe', 'undici']);
  });

  test('a manager loads a YAML parser to read a kubeconfig, but does not load client-node', async () => {
    const kubeconfig = { inline: server.kubeconfig() };
    const packages = await packagesLoadedWith({ kubeconfig });
    assert.deepEqual(packages, ['js-yaml', 'pino', 'reflect-metadata', 'tsyringe', 'undici']);
  });
});

test('the CLI loads only commander and the packages api and cli for --help', async () => {
  const help = fileURLToPath(new URL('./loaded-by-help-process.js', import.meta.url));
  const child = fork(help, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exit = once(child, 'exit');
  const [loaded] = (await Promise.race([once(child, 'message'), exit])) as [unknown];
  assert.deepEqual(loaded, ['commander', 'packages/api', 'packages/cli']);
  assert.deepEqual(await exit, [0, null]);
});
