import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { certificatesIn, ShopCluster } from './shop-cluster.js';
import {
  BASE,
  CONFIGURATION_PATH,
  createConfiguration,
  createSecret,
  HOST,
  MUTATING_PATH,
  overwriteSecret,
  readBundles,
  readSecret,
  SECRET_PATH,
  valueOf,
} from './webhook-objects.js';

const REPAIRED_BUNDLE = 'repaired the CA bundle of webhooks, because it was overwritten';
const INJECTED_BUNDLE = 'injected the CA bundle of webhooks';
const NO_CONFIGURATION =
  'the API server does not call the webhooks, because an object with their configuration does not exist';

const otherKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
/** A certificate of another program. */
const FOREIGN_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBezCCASGgAwIBAgIUZODnv9y1IJLASBcfUFI4H0Z6NFQwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHZm9yZWlnbjAgFw0yNjExMjcwODQwMjlaGA8yMTI2MTEwMzA4
NDAyOVowEjEQMA4GA1UEAwwHZm9yZWlnbjBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABK1uyAw/faySLI1GNJFQ9inP9fLL7/8k7oanJD8QToS/aSDg/8NoYnsWduQr
bKypTRGLYt0KCN448AN6EycClP+jUzBRMB0GA1UdDgQWBBQozZyJCIzW27olsI2Z
iRfTJyekaDAfBgNVHSMEGDAWgBQozZyJCIzW27olsI2ZiRfTJyekaDAPBgNVHRMB
Af8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIEVymyBpqLeNzTjPNiif/EQFRMlh
Mb4LP50p/OwIW+wZAiEAyfybkvN6ThqJ+JD1AhUvpACvmBnNhg0jk28UeBqZPVM=
-----END CERTIFICATE-----
`;

/** Returns the authorities in a PEM text by their subjects. */
const subjects = (pem: string): readonly string[] => certificatesIn(pem).map(({ subject }) => subject);

test('a replica creates a CA and a certificate, stores both in a Secret, and injects the CA bundle', async () => {
  await using cluster = await ShopCluster.start();
  const replica = await cluster.startReplica();
  const secret = await readSecret(cluster.transport);
  assert.equal(secret.metadata.annotations?.['kubewright.dev/certificates-of'], BASE);
  const leaf = new X509Certificate(valueOf(secret, 'tls.crt'));
  assert.equal(leaf.checkHost(HOST), HOST);
  assert.equal(leaf.validTo, 'Jan  1 03:00:00 2026 GMT');
  assert.equal(replica.served.at(-1)?.cert, valueOf(secret, 'tls.crt'));
  const bundles = await readBundles(cluster.transport);
  assert.ok(bundles.length > 3);
  for (const bundle of bundles) assert.equal(bundle, valueOf(secret, 'ca.crt'));
  await cluster.assertTrusted();
});

test('three replicas that start at the same time share one certificate', async () => {
  await using cluster = await ShopCluster.start();
  const replicas = [cluster.replica(), cluster.replica(), cluster.replica()];
  await Promise.all(replicas.map((replica) => replica.start()));
  await cluster.idle();
  const cert = valueOf(await readSecret(cluster.transport), 'tls.crt');
  for (const replica of replicas) {
    assert.deepEqual(
      replica.served.map((keyPair) => keyPair.cert),
      [cert],
    );
    assert.deepEqual(replica.messages('warn', 'error'), []);
  }
  const created = replicas.flatMap((replica) => replica.messages('info')).filter((text) => text.startsWith('created'));
  assert.equal(created.length, 1);
  await cluster.assertTrusted();
});

test('a replica renews the serving certificate after two thirds of its lifetime, without a restart', async () => {
  await using cluster = await ShopCluster.start();
  const replica = await cluster.startReplica();
  await cluster.advance('1h');
  await cluster.advance('59m');
  assert.equal(replica.served.length, 1);
  const before = valueOf(await readSecret(cluster.transport), 'ca.crt');
  await cluster.advance('1m');
  assert.equal(replica.served.length, 2);
  const secret = await readSecret(cluster.transport);
  assert.equal(valueOf(secret, 'ca.crt'), before);
  assert.equal(valueOf(secret, 'previous.crt'), replica.served[0]?.cert);
  await cluster.advance('66m');
  assert.equal(valueOf(await readSecret(cluster.transport), 'previous.crt'), '');
});

test('a replica adds a new CA to every configuration, then serves a certificate of the new CA, and finally removes the old CA', async () => {
  await using cluster = await ShopCluster.start();
  const replica = await cluster.startReplica();
  const [old = ''] = subjects(valueOf(await readSecret(cluster.transport), 'ca.crt'));
  await cluster.advance('6h');
  const issuer = (): string => new X509Certificate(replica.served.at(-1)?.cert ?? '').issuer;
  const [added = '', ...others] = subjects((await readBundles(cluster.transport))[0] ?? '');
  assert.deepEqual(others, [old]);
  assert.notEqual(added, old);
  assert.equal(issuer(), old);
  await cluster.advance('4m');
  assert.equal(issuer(), old);
  await cluster.advance('1m');
  assert.equal(issuer(), added);
  await cluster.assertTrusted();
  await cluster.advance('55m');
  assert.deepEqual(subjects((await readBundles(cluster.transport))[0] ?? ''), [added, old]);
  // The last certificate of the old CA was issued after 4 h, and expires after 7 h. The old CA is kept 5 min longer.
  await cluster.advance('5m');
  for (const bundle of await readBundles(cluster.transport)) assert.deepEqual(subjects(bundle), [added]);
  assert.deepEqual(replica.messages('warn', 'error'), []);
});

test('a replica repairs an overwritten CA bundle without waiting for the next check', async () => {
  await using cluster = await ShopCluster.start();
  const replica = await cluster.startReplica();
  const bundle = Buffer.from(FOREIGN_CERTIFICATE).toString('base64');
  for (const path of [CONFIGURATION_PATH, MUTATING_PATH]) {
    const body = [{ op: 'replace', path: '/webhooks/1/clientConfig/caBundle', value: bundle }];
    await cluster.transport.request({ method: 'PATCH', path, contentType: 'application/json-patch+json', body });
  }
  await replica.until(() => replica.messages('warn').length === 2);
  await cluster.idle();
  assert.deepEqual(new Set(replica.messages('warn')), new Set([REPAIRED_BUNDLE]));
  await cluster.assertTrusted();
});

test('a replica injects the CA bundle into a configuration that is created after the start of the replica', async () => {
  await using cluster = await ShopCluster.start();
  await cluster.transport.request({ method: 'DELETE', path: MUTATING_PATH });
  const replica = await cluster.startReplica();
  assert.equal(replica.messages('info').filter((text) => text === NO_CONFIGURATION).length, 1);
  await createConfiguration(cluster.transport, 'Mutating');
  await replica.until(() => replica.messages('info').filter((text) => text === INJECTED_BUNDLE).length === 2);
  await cluster.assertTrusted();
});

test('a replica warns about a configuration without a webhook that calls the Service of the operator', async () => {
  await using cluster = await ShopCluster.start();
  const body = [0, 1].map((index) => ({
    op: 'replace',
    path: `/webhooks/${index}/clientConfig/service/name`,
    value: 'other',
  }));
  const contentType = 'application/json-patch+json';
  await cluster.transport.request({ method: 'PATCH', path: MUTATING_PATH, contentType, body });
  const replica = await cluster.startReplica();
  assert.deepEqual(replica.messages('warn'), [
    'no webhook in the object calls Service shop-system/shop-webhook; apply the generated manifests',
  ]);
  const [ofOther] = await readBundles(cluster.transport);
  assert.equal(ofOther, '');
});

test('a replica restores a deleted Secret with the same certificates', async () => {
  await using cluster = await ShopCluster.start();
  const replica = await cluster.startReplica();
  const { data } = await readSecret(cluster.transport);
  await cluster.transport.request({ method: 'DELETE', path: SECRET_PATH });
  await replica.until(
    () => replica.messages('info').filter((text) => text.startsWith('created the Secret')).length === 2,
  );
  assert.deepEqual((await readSecret(cluster.transport)).data, data);
  assert.equal(replica.served.length, 1);
});

test('a replica rejects a Secret that was not created by an operator, and does not change the Secret', async () => {
  await using cluster = await ShopCluster.start();
  await createSecret(cluster.transport, { password: 'abc' }, {});
  const { metadata } = await readSecret(cluster.transport);
  await assert.rejects(cluster.replica().start(), {
    code: 'FOREIGN_SECRET',
    message: /secret shop-system\/shop-webhook-certificates: it exists without the annotation .*; delete it if/,
  });
  assert.equal((await readSecret(cluster.transport)).metadata.resourceVersion, metadata.resourceVersion);
});

test('a replica rejects the Secret of another operator, and the error names this operator', async () => {
  await using cluster = await ShopCluster.start();
  await createSecret(cluster.transport, {}, { 'kubewright.dev/certificates-of': 'bakery' });
  await assert.rejects(cluster.replica().start(), {
    code: 'FOREIGN_SECRET',
    message: /it belongs to the operator 'bakery'; set webhooks\.certificates\.secret to another name/,
  });
});

test('a replica replaces an expired CA and the certificate of this CA', async () => {
  await using cluster = await ShopCluster.start();
  await (await cluster.startReplica())[Symbol.asyncDispose]();
  cluster.replicas.length = 0;
  await cluster.advance('10h');
  const replica = await cluster.startReplica();
  assert.equal(replica.served.length, 1);
  await cluster.assertTrusted();
});

test('a replica replaces a CA whose key was overwritten, and keeps the old CA until the certificates of the old CA have expired', async () => {
  await using cluster = await ShopCluster.start();
  await (await cluster.startReplica())[Symbol.asyncDispose]();
  cluster.replicas.length = 0;
  // Another program has replaced the key of the CA.
  await overwriteSecret(cluster.transport, { 'ca.key': otherKey() });
  const replica = await cluster.startReplica();
  const [bundle = ''] = await readBundles(cluster.transport);
  assert.equal(subjects(bundle).length, 2);
  await cluster.assertTrusted();
  await cluster.advance('5m');
  assert.equal(replica.served.length, 2);
  await cluster.assertTrusted();
  await cluster.advance('3h');
  assert.equal(subjects((await readBundles(cluster.transport))[0] ?? '').length, 1);
});
