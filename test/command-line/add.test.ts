import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { TestEnvironment } from '@kubewright/testing';
import { FixtureProject, repository } from './fixture-project.js';
import { testedProject } from './tested-project.js';

const parcels = join(repository, 'packages/cli/src/test-support/parcels.yaml');

/** Returns the arguments that add a controller for a kind of a cluster. */
function fromCluster(kind: string, kubeconfig: string): readonly string[] {
  return ['add', 'controller', '--kind', kind, '--from-cluster', '--kubeconfig', kubeconfig];
}

describe('kubewright add', () => {
  it('kubewright add adds code that compiles and passes its tests, and from which kubewright generate generates manifests', async () => {
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

  it('kubewright add generates types for a kind that is installed in a cluster', async () => {
    await using env = await TestEnvironment.start({ crds: [parcels] });
    await using project = await FixtureProject.create();
    const kubeconfig = join(project.root, 'kubeconfig');
    await env.writeKubeconfig(kubeconfig);
    const { exitCode, stdout, stderr } = await project.run([...fromCluster('Parcel', kubeconfig), '--json']);
    assert.deepEqual([exitCode, stderr], [0, '']);
    assert.deepEqual((JSON.parse(stdout) as { readonly created: readonly string[] }).created, [
      'src/external/post.example.com/v1/parcel.ts',
      'src/controllers/parcel-controller.ts',
      'src/controllers/parcel-controller.test.ts',
    ]);
    assert.match(await testedProject(project.root), /\n# pass 1\n/);
    const unknown = await project.run(fromCluster('Letter', kubeconfig));
    assert.equal(unknown.exitCode, 2);
    assert.match(
      unknown.stderr,
      /the cluster has no definition of this kind; it has the definitions of Parcel \(post\.example\.com\)\n$/,
    );
  });

  it('kubewright add reports that the cluster is missing, and writes nothing', async () => {
    await using project = await FixtureProject.create();
    const before = await project.files('src');
    const { exitCode, stderr } = await project.run(fromCluster('Parcel', join(project.root, 'none')));
    assert.equal(exitCode, 4);
    assert.match(stderr, /^error: /);
    assert.deepEqual(await project.files('src'), before);
  });
});
