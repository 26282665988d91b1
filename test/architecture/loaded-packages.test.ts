import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ApiServer } from '@kubewright/apiserver';

const program = fileURLToPath(new URL('./loaded-packages-process.js', import.meta.url));

interface LoadedByServer {
  readonly packages: readonly string[];
  readonly modules: number;
}

/** What a manager loads: the names of packages, and files as 'package/path'. */
interface Loaded {
  readonly packages: readonly string[];
  readonly files: readonly string[];
}

/** Starts a manager with these options, and returns what it loads. */
async function loadedWith(options: object): Promise<Loaded> {
  const child = fork(program, [JSON.stringify(options)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exit = once(child, 'exit');
  const [loaded] = (await Promise.race([once(child, 'message'), exit])) as [Loaded];
  assert.deepEqual(await exit, [0, null]);
  return loaded;
}

/** The paths of code for features that the manager of these tests does not use. */
const UNUSED =
  /^(runtime\/dist\/(certificates|client\/plan\/planning-transport|manager\/plan|rbac\/webhook-configurations|transport\/kubeconfig\/kubeconfig-|transport\/credentials\/(exec|oidc)-cred)|api\/dist\/(built-in\/built-in-kinds|generated\/all-definitions))/;
/** The sources of a kubeconfig are separate from its parser. */
const KUBECONFIG_TEXTS = /kubeconfig-(source|texts)\.js$/;

describe('a manager', () => {
  let server: ApiServer;
  before(async () => {
    server = await ApiServer.start();
  });
  after(() => server.stop());

  test('a manager does not load libraries for unused features: metrics, certificates, spans, a kubeconfig, HTTP/1.1', async () => {
    const { url, certificateAuthority: ca, token } = server;
    const connection = { server: url, ca, token };
    const { packages, files } = await loadedWith({ connection });
    assert.deepEqual(packages, ['pino', 'reflect-metadata', 'tsyringe']);
    const unused = files.filter((file) => UNUSED.test(file) && !KUBECONFIG_TEXTS.test(file));
    assert.deepEqual(unused, []);
  });

  test('for a server without HTTP/2, a manager loads only the dispatcher of undici, without fetch, caches, and mocks', async () => {
    const forwarder = createServer((request, response) => {
      const { method, url: path, headers } = request;
      const onward = httpsRequest(new URL(path ?? '', server.url), { method, headers, ca }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      response.once('close', () => onward.destroy());
      request.pipe(onward);
    });
    const { certificateAuthority: ca, token } = server;
    await once(forwarder.listen(0, '127.0.0.1'), 'listening');
    const { port } = forwarder.address() as AddressInfo;
    const { files } = await loadedWith({ connection: { server: `http://127.0.0.1:${port}`, token } });
    forwarder.close();
    forwarder.closeAllConnections();
    const ofUndici = files.filter((file) => file.startsWith('undici/'));
    assert.ok(ofUndici.includes('undici/lib/dispatcher/pool.js'), ofUndici.join(', '));
    const folders = new Set(ofUndici.map((file) => file.split('/').slice(0, -1).join('/')));
    assert.deepEqual(
      [...folders],
      ['core', 'dispatcher', 'handler', 'llhttp', 'util'].map((folder) => `undici/lib/${folder}`),
    );
  });

  test('a manager loads a YAML parser to read a kubeconfig, but does not load client-node', async () => {
    const kubeconfig = { inline: server.kubeconfig() };
    const { packages, files } = await loadedWith({ kubeconfig });
    assert.deepEqual(packages, ['js-yaml', 'pino', 'reflect-metadata', 'tsyringe']);
    assert.ok(!files.includes('runtime/dist/transport/credentials/oidc-credentials.js'));
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

test('an embedded API server starts without CEL, YAML and certificate libraries, with few modules', async () => {
  const start = fileURLToPath(new URL('./loaded-by-server-process.js', import.meta.url));
  const child = fork(start, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exit = once(child, 'exit');
  const [loaded] = (await Promise.race([once(child, 'message'), exit])) as [LoadedByServer];
  assert.deepEqual(loaded.packages, ['packages/api/dist', 'packages/apiserver/dist', 'reflect-metadata']);
  assert.ok(loaded.modules <= 520, `the server loads ${loaded.modules} modules`);
  assert.deepEqual(await exit, [0, null]);
});
