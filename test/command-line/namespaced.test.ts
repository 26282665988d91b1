import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FixtureProject } from './fixture-project.js';

test('an operator of its own namespace gets Roles there, and is told its namespace', async () => {
  await using project = await FixtureProject.create();
  await project.edit('package.json', '"kubewright":{', '"kubewright":{"namespaced":true,"namespace":"counting",');
  const { exitCode, stderr } = await project.run(['generate'], { KUBEWRIGHT_NAMESPACES: 'of-the-laptop' });
  assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });

  const [role, manager] = await Promise.all(
    ['rbac/role', 'manager/manager'].map((path) => project.read(`config/${path}.yaml`)),
  );
  assert.deepEqual(role?.match(/^(kind|  namespace): .*$/gm), ['kind: Role', '  namespace: counting']);
  assert.match(role ?? '', /resources:\n {2}- foos\n/);
  assert.match(
    manager ?? '',
    /name: KUBEWRIGHT_NAMESPACES\n +valueFrom:\n +fieldRef:\n +fieldPath: metadata.namespace\n/,
  );
});
