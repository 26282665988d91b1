import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TestEnvironment } from '@kubewright/testing';
import { FixtureProject } from './fixture-project.js';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const parcels = join(repository, 'packages/cli/src/test-support/parcels.yaml');

/** Compiles the project and runs its tests. */
async function check({ root }: FixtureProject): Promise<string> {
  const run = promisify(execFile);
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined };
  await run(process.execPath, [join(repository, 'node_modules/typescript/bin/tsc'), '-p', root]);
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap'], { cwd: join(root, 'dist'), env });
  return stdout;
}

describe('kubewright add', { timeout: 240_000 }, () => {
  it('adds what compiles, passes its tests, and becomes manifests', async () => {
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
      assert.match((await project.run(['add', ...args])).stdout, /nothing changed\n$/);
      assert.deepEqual(await project.files('src'), before);
    }
    const main = await project.read('src/main.ts');
    assert.deepEqual(
      [...main.matchAll(/manager\.add\((\w+)Controller\);/g)].map(([, name]) => name),
      ['Foo', 'Bar', 'Zone', 'StatefulSet', 'Parcel', 'ZoneTransfer', 'ParcelAudit'],
    );
    assert.match(await check(project), /\n# fail 0\n/);
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

  it('makes types of what a cluster has installed', async () => {
    await using env = await TestEnvironment.start({ crds: [parcels] });
    await using project = await FixtureProject.create();
    await env.writeKubeconfig(join(project.root, 'kubeconfig'));
    const args = [
      'add',
      'controller',
      '--kind',
      'Parcel',
      '--from-cluster',
      '--kubeconfig',
      join(project.root, 'kubeconfig'),
    ];
    const { exitCode, stdout, stderr } = await project.run([...args, '--json']);
    assert.deepEqual([exitCode, stderr], [0, '']);
    assert.deepEqual((JSON.parse(stdout) as { readonly made: readonly string[] }).made, [
      'src/external/post.example.com/v1/parcel.ts',
      'src/controllers/parcel-controller.ts',
      'src/controllers/parcel-controller.test.ts',
    ]);
    assert.match(await check(project), /\n# pass 1\n/);
    const unknown = await project.run(args.map((each) => (each === 'Parcel' ? 'Letter' : each)));
    assert.equal(unknown.exitCode, 2);
    assert.match(
      unknown.stderr,
      /the cluster has no definition of it; it has those of Parcel \(post\.example\.com\)\n$/,
    );
  });

  it('tells that there is no cluster, and writes nothing', async () => {
    await using project = await FixtureProject.create();
    const before = await project.files('src');
    const args = [
      'add',
      'controller',
      '--kind',
      'Parcel',
      '--from-cluster',
      '--kubeconfig',
      join(project.root, 'none'),
    ];
    const { exitCode, stderr } = await project.run(args);
    assert.equal(exitCode, 4);
    assert.match(stderr, /^error: /);
    assert.deepEqual(await project.files('src'), before);
  });
});
