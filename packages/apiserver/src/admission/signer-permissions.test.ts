import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../registry/objects/api-object.js';
import { ApiServer } from '../server/api-server.js';
import { context } from '../server/cluster.test.support.js';

const rbac = 'rbac.authorization.k8s.io/v1';

test('a ClusterTrustBundle of a signer requires the permission to attest for this signer', async () => {
  await using server = await ApiServer.start({ kubernetesVersion: '1.37' });
  const bundles = server.registry.builtIn('certificates.k8s.io/v1/clustertrustbundles');
  const jane = { ...context, user: { name: 'jane', groups: [] } };
  const create = (name: string, signerName?: string) =>
    bundles.create({ metadata: { name }, spec: { ...(signerName && { signerName }), trustBundle: 't' } }, jane);
  const refused = /"bundle" is forbidden: user not permitted to attest for signerName "a.b\/c"$/;

  create('plain');
  assert.throws(() => create('bundle', 'a.b/c'), refused);
  const metadata = { name: 'attest' };
  const rules = [
    { apiGroups: ['certificates.k8s.io'], resources: ['signers'], resourceNames: ['a.b/*'], verbs: ['attest'] },
  ];
  server.registry.builtIn(`${rbac}/clusterroles`).create({ metadata, rules }, context);
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'attest' };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }];
  server.registry.builtIn(`${rbac}/clusterrolebindings`).create({ metadata, roleRef, subjects }, context);
  create('bundle', 'a.b/c');
  assert.throws(() => create('other', 'e.b/c'), /for signerName "e.b\/c"$/);

  const joe = { ...context, user: { name: 'joe', groups: [] } };
  const update = (change: (live: ApiObject) => object) => bundles.update({ name: 'bundle' }, change, joe);
  update((live) => ({ ...live, metadata: { ...live.metadata, finalizers: ['a.b/c'] } }));
  assert.throws(() => update((live) => ({ ...live, metadata: { ...live.metadata, labels: { a: 'b' } } })), refused);
});
