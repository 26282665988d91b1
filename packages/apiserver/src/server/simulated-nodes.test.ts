import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ApiObject } from '../registry/objects/api-object.js';
import { stringAt } from '../registry/objects/json-object.js';
import { systemContext } from '../registry/requests/request-context.js';
import { ApiServer } from './api-server.js';

test('Pods and Services have different addresses across restarts with a data folder', async () => {
  const data = await mkdtemp(join(tmpdir(), 'kubewright-nodes-'));
  const addresses: string[] = [];
  try {
    for (const name of ['a', 'b']) {
      await using server = await ApiServer.start({ data, workloads: ['pods'] });
      const pods = server.registry.builtIn('/v1/pods');
      const services = server.registry.builtIn('/v1/services');
      const context = systemContext('test', 'create');
      const metadata = { name, namespace: 'default' };
      const running = new Promise<ApiObject>((resolve) => {
        const stop = server.onActivity(() => {
          const pod = pods.find(metadata);
          if (pod === undefined || stringAt(pod, 'status', 'phase') !== 'Running') return;
          stop();
          resolve(pod);
        });
      });
      pods.create({ metadata, spec: { containers: [{ name: 'c', image: 'i' }] } }, context);
      const service = services.create({ metadata, spec: { ports: [{ port: 80 }] } }, context);
      addresses.push(stringAt(await running, 'status', 'podIP'), stringAt(service, 'spec', 'clusterIP'));
    }
  } finally {
    await rm(data, { recursive: true });
  }
  assert.ok(addresses.every((address) => address !== ''));
  assert.equal(new Set(addresses).size, 4);
});
