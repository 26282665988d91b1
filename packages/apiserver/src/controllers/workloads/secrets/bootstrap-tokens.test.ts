import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objectAt } from '../../../registry/objects/json-object.js';
import { context, startCluster, SteppedClock } from '../../../server/cluster.test.support.js';

const infoKey = { namespace: 'kube-public', name: 'cluster-info' };
const token = (id: string, data: object): object => ({
  metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
  type: 'bootstrap.kubernetes.io/token',
  stringData: { 'token-id': id, 'token-secret': 'f395accd246ae52d', ...data },
});

test('BootstrapTokenCleaner deletes a token when the token expires', async (t) => {
  const clock = new SteppedClock();
  const cluster = startCluster(t, { workloads: ['secrets'], clock });
  const secrets = cluster.resource('/v1/secrets');
  secrets.create(token('aaaaaa', { expiration: '2026-01-01T00:01:00Z' }), context);
  secrets.create(token('bbbbbb', { expiration: 'soon' }), context);
  secrets.create(token('cccccc', {}), context);
  await cluster.quiet();
  const names = (): readonly string[] =>
    secrets.list({ namespace: 'kube-system' }).items.map(({ metadata }) => metadata.name);
  assert.deepEqual(names(), ['bootstrap-token-aaaaaa', 'bootstrap-token-cccccc']);
  clock.advance(60_000);
  await cluster.quiet();
  assert.deepEqual(names(), ['bootstrap-token-cccccc']);
});

test('BootstrapTokenSigner signs the kubeconfig of the cluster information with each token for signing', async (t) => {
  const cluster = startCluster(t, { workloads: ['secrets'] });
  const configMaps = cluster.resource('/v1/configmaps');
  configMaps.create({ metadata: infoKey, data: { kubeconfig: 'content', other: 'kept' } }, context);
  const secrets = cluster.resource('/v1/secrets');
  secrets.create(token('aaaaaa', { 'usage-bootstrap-signing': 'true' }), context);
  secrets.create(token('bbbbbb', { 'usage-bootstrap-signing': 'false' }), context);
  await cluster.quiet();
  const data = objectAt(configMaps.get(infoKey), 'data');
  assert.deepEqual(Object.keys(data).toSorted(), ['jws-kubeconfig-aaaaaa', 'kubeconfig', 'other']);
  const [header = '', payload, signature = ''] = String(data['jws-kubeconfig-aaaaaa']).split('.');
  assert.equal(Buffer.from(header, 'base64url').toString(), '{"alg":"HS256","kid":"aaaaaa"}');
  assert.equal(payload, '');
  assert.equal(Buffer.from(signature, 'base64url').length, 32);
  secrets.delete({ namespace: 'kube-system', name: 'bootstrap-token-aaaaaa' }, {}, context);
  await cluster.quiet();
  assert.deepEqual({ ...objectAt(configMaps.get(infoKey), 'data') }, { kubeconfig: 'content', other: 'kept' });
});
