import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamicKind } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { KubewrightError } from '@kubewright/api/errors';
import { ScriptedServer } from '../test-support/scripted-server.js';
import { Discovery } from './discovery.js';
import { resourcePath } from './resource-path.js';
import { Transport } from './transport.js';

const hasCode = (code: string) => (error: unknown) => error instanceof KubewrightError && error.code === code;

test('a built-in kind needs no request', async () => {
  const discovery = new Discovery(new Transport({ server: 'http://127.0.0.1:1' }));
  const info = await discovery.resolve(ConfigMap);
  assert.equal(resourcePath(info, { namespace: 'a', name: 'b' }), '/api/v1/namespaces/a/configmaps/b');
});

test('a kind that is known by name only is looked up once, and again after a miss', async () => {
  await using server = await ScriptedServer.start();
  await using transport = new Transport({ server: server.url });
  const discovery = new Discovery(transport);
  const Backup = dynamicKind('backup.example.com/v1', 'Backup');
  const missed = assert.rejects(discovery.resolve(Backup), hasCode('KIND_NOT_SERVED'));
  const first = await server.next();
  assert.equal(first.path, '/apis/backup.example.com/v1');
  first.status(404, 'NotFound');
  await missed;
  const found = Promise.all([discovery.resolve(Backup), discovery.resolve(Backup)]);
  const resources = [
    { name: 'backups/status', kind: 'Backup', namespaced: true },
    { name: 'backups', kind: 'Backup', namespaced: true },
  ];
  (await server.next()).json(200, { kind: 'APIResourceList', resources });
  const [info, same] = await found;
  assert.deepEqual(info, same);
  assert.equal(
    resourcePath(info, { namespace: 'a', name: 'b', subresource: 'status' }),
    '/apis/backup.example.com/v1/namespaces/a/backups/b/status',
  );
  assert.equal(server.requests, 2);
});

test('names that cannot stand in a path are refused', async () => {
  const info = { group: '', version: 'v1', apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
  for (const name of ['', '.', '..', 'a/b', 'a%2fb'])
    assert.throws(() => resourcePath(info, { name }), hasCode('INVALID_NAME'));
});
