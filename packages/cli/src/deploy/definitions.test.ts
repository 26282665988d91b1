import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { TestEnvironment } from '@kubewright/testing';
import { removeDefinition, untilServed } from './definitions.js';
import { KubeApi } from './kube-api.js';

const definition = new CustomResourceDefinition({
  metadata: { name: 'foos.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Foo', plural: 'foos' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});

test('untilServed and removeDefinition rethrow an error of the wait that is not a timeout', async () => {
  await using env = await TestEnvironment.start();
  await using api = new KubeApi(env.connection, () => undefined);
  const created = await api.client.create(definition);
  await api.cache.close();
  const { signal } = new AbortController();
  await assert.rejects(untilServed(api, [created.metadata.name], signal), { code: 'INFORMER_CLOSED' });
  await assert.rejects(removeDefinition(api, created, signal), { code: 'INFORMER_CLOSED' });
});
