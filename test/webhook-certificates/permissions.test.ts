import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rulesOf } from '@kubewright/api/rbac';
import { certificatePermissions } from '@kubewright/runtime/permissions';
import { ShopCluster } from './shop-cluster.js';
import { INJECTED, NAMESPACE } from './webhook-objects.js';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const { own, cluster: clusterWide } = certificatePermissions({ secret: 'shop-webhook-certificates', ...INJECTED });

/** Creates a role or a ClusterRole for the service account `operator`, and binds the role. */
async function grant(cluster: ShopCluster, kind: 'Role' | 'ClusterRole', rules: readonly object[]): Promise<void> {
  const folder = kind === 'Role' ? `${RBAC}/namespaces/${NAMESPACE}` : RBAC;
  const post = (path: string, body: object): Promise<unknown> =>
    cluster.transport.request({ method: 'POST', path, body: { apiVersion: 'rbac.authorization.k8s.io/v1', ...body } });
  const metadata = { name: 'webhook-certificates' };
  await post(`${folder}/${kind.toLowerCase()}s`, { kind, metadata, rules });
  await post(`${folder}/${kind.toLowerCase()}bindings`, {
    kind: `${kind}Binding`,
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: metadata.name },
    subjects: [{ kind: 'ServiceAccount', name: 'operator', namespace: NAMESPACE }],
  });
}

/** Creates the service account `operator` without permissions, and returns a connection of this account. */
async function withAccount(cluster: ShopCluster) {
  await cluster.transport.request({
    method: 'POST',
    path: `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`,
    body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'operator' } },
  });
  const { server, ca } = cluster.connection;
  const token = await cluster.tokenOf({ namespace: NAMESPACE, name: 'operator' });
  return { server, ca: ca ?? '', token };
}

test('managed certificates create, rotate, and inject certificates with only the permissions of certificatePermissions', async () => {
  await using cluster = await ShopCluster.start();
  const connection = await withAccount(cluster);
  await grant(cluster, 'Role', rulesOf(own));
  await grant(cluster, 'ClusterRole', rulesOf(clusterWide));
  const replica = await cluster.startReplica({ connection });
  await cluster.advance('7h');
  await cluster.assertTrusted();
  assert.ok(replica.served.length > 3);
  assert.deepEqual(replica.messages('warn', 'error'), []);
});

test('a missing permission for the Secret is logged once with the fix, and the start continues when the permission is granted', async () => {
  await using cluster = await ShopCluster.start();
  const connection = await withAccount(cluster);
  const replica = cluster.replica({ connection });
  const started = replica.start();
  await grant(cluster, 'ClusterRole', rulesOf(clusterWide));
  await replica.until(() => replica.messages('error').length > 0);
  for (let step = 0; step < 5; step++) await cluster.advance('1m');
  const ofSecret = replica.messages('error').filter((text) => text.startsWith('cannot read or renew'));
  assert.deepEqual(ofSecret, [
    'cannot read or renew the webhook certificates; generate the manifests again and apply them, so that the role contains the permissions for the Secret',
  ]);
  await grant(cluster, 'Role', rulesOf(own));
  await cluster.advance('2m');
  await started;
  await cluster.idle();
  await cluster.assertTrusted();
});

test('a missing permission for a configuration is logged once with the fix, and does not stop the server', async () => {
  await using cluster = await ShopCluster.start();
  const connection = await withAccount(cluster);
  await grant(cluster, 'Role', rulesOf(own));
  const replica = await cluster.startReplica({ connection });
  for (let step = 0; step < 5; step++) await cluster.advance('1m');
  const ofConfiguration = replica.messages('error').filter((text) => text.startsWith('cannot read the configuration'));
  assert.deepEqual(new Set(ofConfiguration).size, 1);
  assert.equal(ofConfiguration.length, 2);
  assert.match(ofConfiguration[0] ?? '', /generate the manifests again and apply them/);
  assert.equal(replica.served.length, 1);
});
