import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConfigMap, Namespace } from '@kubewright/api/core/v1';
import { TestEnvironment } from '@kubewright/testing';
import { Leftovers } from './leftovers.js';

describe('Leftovers', () => {
  let env: TestEnvironment;
  let behind: Leftovers;
  const left = (): Promise<readonly string[]> => behind.objects((path) => path.includes('/namespaces/own'));

  before(async () => {
    env = await TestEnvironment.start();
    behind = await Leftovers.open(env.connection, { timeLimitMs: 0 });
  });
  after(async () => {
    await behind[Symbol.asyncDispose]();
    await env[Symbol.asyncDispose]();
  });

  test('reports nothing on an unused server', async () => {
    assert.deepEqual(await left(), []);
  });

  test('reports created objects, except objects that may stay', async () => {
    const map = new ConfigMap({ metadata: { name: 'a', namespace: 'default' } });
    const made = await env.client.create(map);
    await env.client.create(new Namespace({ metadata: { name: 'own' } }));
    await env.client.create(new ConfigMap({ metadata: { name: 'a', namespace: 'own' } }));
    assert.deepEqual(await left(), ['/api/v1/namespaces/default/configmaps/a']);
    await env.client.delete(made);
    assert.deepEqual(await left(), []);
  });

  test('reports changed objects of the server', async () => {
    const roots = await env.client.live.get(ConfigMap, { namespace: 'default', name: 'kube-root-ca.crt' });
    await env.client.patch(roots, { merge: { metadata: { labels: { changed: 'yes' } } } });
    assert.deepEqual(await left(), ['/api/v1/namespaces/default/configmaps/kube-root-ca.crt']);
  });
});
