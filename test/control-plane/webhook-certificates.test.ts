import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificatesIn, ShopCluster } from '../webhook-certificates/shop-cluster.js';
import {
  DEFINITION_PATH,
  INJECTED,
  readBundles,
  readDefinitionBundle,
  readSecret,
  valueOf,
} from '../webhook-certificates/webhook-objects.js';

const injectInto = { ...INJECTED, customResourceDefinitions: ['carts.shop.example.com'] };

test('two replicas create, rotate and repair webhook certificates on a real control plane', async () => {
  await using cluster = await ShopCluster.start({ server: 'control-plane', definition: true });
  const replicas = [cluster.replica({ injectInto }), cluster.replica({ injectInto })];
  await Promise.all(replicas.map((replica) => replica.start()));
  await cluster.idle();
  const assertInjected = async (): Promise<void> => {
    const bundle = valueOf(await readSecret(cluster.transport), 'ca.crt');
    for (const injected of await readBundles(cluster.transport)) assert.equal(injected, bundle);
    assert.equal(await readDefinitionBundle(cluster.transport), bundle);
    await cluster.assertTrusted();
  };
  await assertInjected();
  const isRepaired = (): boolean => replicas.some((replica) => replica.messages('warn').length > 0);
  const [authority] = certificatesIn(cluster.connection.ca?.toString() ?? '');
  const value = Buffer.from(authority?.toString() ?? '').toString('base64');
  await cluster.transport.request({
    method: 'PATCH',
    path: DEFINITION_PATH,
    contentType: 'application/json-patch+json',
    body: [{ op: 'replace', path: '/spec/conversion/webhook/clientConfig/caBundle', value }],
  });
  await Promise.race(replicas.map((replica) => replica.until(isRepaired)));
  await cluster.idle();
  await assertInjected();
  // Two rotations of the serving certificate, and one of the CA.
  for (let step = 0; step < 45; step++) {
    await cluster.advance('10m');
    await cluster.assertTrusted();
  }
  await assertInjected();
  for (const replica of replicas) {
    assert.ok(replica.served.length > 3);
    assert.deepEqual(replica.messages('error'), []);
  }
});
