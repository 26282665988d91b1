import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { ShopCluster } from './shop-cluster.js';
import { overwriteSecret, readSecret } from './webhook-objects.js';

const REPAIRED_SECRET = 'repaired the Secret with the webhook certificates';
const otherKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

/** Keys of the Secret with an invalid value, and the problem that the log must contain. */
const JUNK = [
  ['tls.crt', 'j4nk', 'tls.crt contains no certificate in PEM format'],
  [
    'tls.crt',
    '-----BEGIN CERTIFICATE-----\nj4nk\n-----END CERTIFICATE-----\n',
    'tls.crt contains a certificate that cannot be read',
  ],
  ['tls.key', 'j4nk', 'tls.key is not a private key in PEM format'],
  ['tls.key', '', 'tls.key is missing or empty'],
  ['tls.key', otherKey(), 'tls.key does not belong to tls.crt'],
  ['ca.crt', 'j4nk', 'ca.crt contains no certificate in PEM format'],
  ['ca.key', 'j4nk', 'ca.key is not a private key in PEM format'],
  ['ca.key', otherKey(), 'ca.key does not belong to the first certificate of ca.crt'],
  [
    'previous.crt',
    '-----BEGIN CERTIFICATE-----\nj4nk\n-----END CERTIFICATE-----\n',
    'previous.crt contains a certificate that cannot be read',
  ],
] as const;

test('a replica logs each invalid key of the Secret, and restores the certificates', async () => {
  await using cluster = await ShopCluster.start();
  const replica = await cluster.startReplica();
  const { data } = await readSecret(cluster.transport);
  const repairs = (): number => replica.messages('info').filter((text) => text === REPAIRED_SECRET).length;
  for (const [key, value, problem] of JUNK) {
    const before = repairs();
    await overwriteSecret(cluster.transport, { [key]: value });
    await replica.until(() => repairs() > before);
    assert.match(replica.messages('warn').at(-1) ?? '', new RegExp(problem), key);
    assert.deepEqual((await readSecret(cluster.transport)).data, data, key);
  }
  await cluster.idle();
  assert.equal(replica.served.length, 1);
  assert.doesNotMatch(JSON.stringify(replica.logger.lines), /BEGIN|j4nk/);
});

for (const [key, value, problem] of JUNK) {
  test(`a replica repairs the Secret of an earlier replica if ${problem}`, async () => {
    await using cluster = await ShopCluster.start();
    await (await cluster.startReplica())[Symbol.asyncDispose]();
    cluster.replicas.length = 0;
    await overwriteSecret(cluster.transport, { [key]: value });
    const replica = await cluster.startReplica();
    assert.match(replica.messages('warn').join('; '), new RegExp(problem));
    await cluster.assertTrusted();
    await cluster.advance('7h');
    await cluster.assertTrusted();
    assert.deepEqual(replica.messages('error'), []);
  });
}
