import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { FixtureProject, repository } from './fixture-project.js';
import { testedProject } from './tested-project.js';

const parcels = join(repository, 'packages/cli/src/test-support/parcels.yaml');

test('kubewright add adds code that compiles and passes its tests, and from which kubewright generate generates manifests', async () => {
  await using project = await FixtureProject.create();
  const added = [
    ['api', '--kind', 'Bar'],
    ['api', '--kind', 'Zone', '--group', 'dns', '--version', 'v1alpha1', '--cluster-scoped'],
    ['version', '--kind', 'Bar', '--version', 'v2', '--stored'],
    ['controller', '--kind', 'StatefulSet'],
    ['controller', '--kind', 'Parcel', '--crd', parcels],
    ['controller', '--kind', 'Zone', '--name', 'zone-transfer'],
    ['controller', '--kind', 'Parcel', '--name', 'parcel-audit'],
  ];
  for (const args of added) {
    const { exitCode, stderr } = await project.run(['add', ...args]);
    assert.deepEqual([exitCode, stderr], [0, ''], args.join(' '));
    const before = await project.files('src');
    assert.match((await project.run(['add', ...args])).stdout, /^nothing changed: /);
    assert.deepEqual(await project.files('src'), before);
  }
  const main = await project.read('src/main.ts');
  assert.deepEqual(
    [...main.matchAll(/manager\.add\((\w+)Controller\);/g)].map(([, name]) => name),
    ['Foo', 'Bar', 'Zone', 'StatefulSet', 'Parcel', 'ZoneTransfer', 'ParcelAudit'],
  );
  assert.match(await testedProject(project.root), /\n# fail 0\n/);
  const { exitCode, stderr } = await project.run(['generate']);
  assert.deepEqual([exitCode, stderr], [0, '']);
  assert.deepEqual(await project.files('config/crd/bases'), [
    'config/crd/bases/dns.example.com_zones.yaml',
    'config/crd/bases/example.com_bars.yaml',
    'config/crd/bases/example.com_foos.yaml',
  ]);
  const role = await project.read('config/rbac/role.yaml');
  assert.match(role, /- statefulsets\n/);
  assert.match(role, /- parcels\n/);
});
