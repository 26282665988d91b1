import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { ConfigMap } from '@kubewright/api/core/v1';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { ScriptedServer } from '../../test-support/scripted-server.js';
import { ClusterBackend } from './cluster-backend.js';

test('a patch of finalizers rejects a response that is not the patched object', async () => {
  await using server = await ScriptedServer.start();
  const backend = new ClusterBackend(
    { connection: { server: server.url } },
    { clock: new SystemClock(), logger: new RecordingLogger() },
  );
  const object = new ConfigMap({ metadata: { name: 'web', namespace: 'shop' } });
  const answered = async (body: unknown): Promise<unknown> => {
    const done = backend.patch(object, [], 'tester');
    let exchange = await server.next();
    if (exchange.path === '/api/v1') {
      exchange.json(200, { resources: [{ name: 'configmaps', kind: 'ConfigMap', namespaced: true }] });
      exchange = await server.next();
    }
    exchange.json(200, body);
    return done;
  };
  for (const body of [null, [], { ...object, kind: 'Secret' }, { ...object, metadata: { name: 'other' } }]) {
    await assert.rejects(answered(body), {
      code: 'INVALID_RESPONSE',
      message: /^change the finalizers of ConfigMap web: /,
    });
  }
  assert.deepEqual(await answered(object), object);
  await backend.close();
});
