import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish } from '@kubewright/api/apply';
import { ApiServer } from '../../server/api-server.js';
import { ResourceQuotaController } from './resource-quota-controller.js';

const namespace = 'default';
const objects = 1000;

test('[quota] counts the objects of a namespace in steps and does not overwrite a quota that changes during the count', async () => {
  await using server = await ApiServer.start();
  const { store, registry } = server;
  const quotas = registry.builtIn('/v1/resourcequotas');
  const { storageBucket } = quotas.definition;
  const quota = (used: object) => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'a', namespace, uid: 'a' },
    spec: { hard: { 'count/secrets': '2k' } },
    status: { hard: { 'count/secrets': '2k' }, used },
  });
  const key = { name: 'a', namespace };
  for (let at = 0; at < objects; at += 1)
    store.create('/secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `n${at}`, namespace, uid: `u${at}` },
    });
  store.create(storageBucket, quota({}));
  const controller = new ResourceQuotaController({ registry } as never);
  const steps = controller.sync(namespace);
  assert.equal(steps.next().done, false);
  const changed = store.update(storageBucket, quota({ 'count/secrets': '7' }));
  let count = 1;
  while (steps.next().done !== true) count += 1;
  assert.ok(count >= objects / 100, `${count} steps`);
  assert.equal(quotas.get(key).metadata.resourceVersion, changed.metadata.resourceVersion);
  finish(controller.sync(namespace));
  const { used } = quotas.get(key)['status'] as { readonly used: object };
  assert.deepEqual({ ...used }, { 'count/secrets': '1k' });
});
