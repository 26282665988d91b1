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
