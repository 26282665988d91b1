import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FixtureProject } from './fixture-project.js';

test('kubewright generate writes Roles in the namespace of a namespaced operator, and passes the namespace to the operator', async () => {
  await using project = await FixtureProject.create();
  await project.edit('package.json', '"kubewright":{', '"kubewright":{"namespaced":true,"namespace":"counting",');
  const { exitCode, stderr } = await project.run(['generate'], { KUBEWRIGHT_NAMESPACES: 'of-the-laptop' });
  assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });

  const [role, manager] = await Promise.all(
    ['rbac/role', 'manager/manager'].map((path) => project.read(`config/${path}.yaml`)),
  );
  const [reviews = '', own = ''] = (role ?? '').split('\n---\n');
  assert.deepEqual(reviews.match(/^(kind: .*|  namespace: .*|  - \w+)$/gm), [
    'kind: ClusterRole',
    '  - tokenreviews',
    '  - create',
    '  - subjectaccessreviews',
    '  - create',
  ]);
  assert.deepEqual(own.match(/^(kind|  namespace): .*$/gm), ['kind: Role', '  namespace: counting']);
  assert.match(own, /resources:\n {2}- foos\n/);
  assert.match(
    manager ?? '',
    /name: KUBEWRIGHT_NAMESPACES\n +valueFrom:\n +fieldRef:\n +fieldPath: metadata.namespace\n/,
  );

  await project.edit(
    'src/main.ts',
    "leaderElection: 'foo-operator'",
    "leaderElection: 'foo-operator', metrics: { secure: false }",
  );
  await project.run(['generate']);
  assert.doesNotMatch(await project.read('config/rbac/role.yaml'), /kind: ClusterRole/);
});
