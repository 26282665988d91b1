import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { crdFor } from '@kubewright/api/metadata';
import { defineKind } from '@kubewright/api';
import { TestEnvironment } from '@kubewright/testing';
import { programPath } from '../programs/program-path.js';
import { FixtureProject } from './fixture-project.js';

const FOO = 'src/api/v1/foo.ts';
const skip = programPath('git') === undefined && 'git is not on PATH';
const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];

async function git(project: FixtureProject, ...args: readonly string[]): Promise<void> {
  await promisify(execFile)('git', [...identity, ...args], { cwd: project.root });
}
/** Returns a project whose definitions equal the definitions of the last commit. */
async function committed(): Promise<FixtureProject> {
  const project = await FixtureProject.create({ '.gitignore': 'node_modules\ndist\n' });
  await project.run(['generate']);
  await git(project, 'init', '-q');
  await git(project, 'add', '.');
  await git(project, 'commit', '-qm', 'release');
  return project;
}

describe('kubewright diff', () => {
  it('kubewright diff reports no changes for unchanged definitions', { skip }, async () => {
    await using project = await committed();
    assert.deepEqual(await project.run(['diff']), {
      exitCode: 0,
      stdout: 'no changes since git:HEAD\n',
      stderr: '',
    });
  });

  it('kubewright diff reports each changed field with its class, and breaking changes with the reason and an alternative', {
    skip,
  }, async () => {
    await using project = await committed();
    await project.edit(FOO, '@Field.int32({ minimum: 0 }) count', '@Field.int32({ minimum: 1 }) count');
    await project.edit(FOO, 'counted?: number', 'seen?: number;\n  @Field.string({ optional: true }) why?: string');
    await project.edit('src/controllers/foo-controller.ts', 'counted:', 'seen:');
    const { exitCode, stdout, stderr } = await project.run(['diff'], { NO_COLOR: '1' });
    assert.deepEqual([exitCode, stderr], [1, '']);
    assert.equal(
      stdout,
      [
        'foos.example.com v1',
        '  breaking   .status.counted: field removed',
        '             the API server drops stored values of the field, and does not move them to .status.seen',
        '             instead: keep both fields for some time and read both in the controller, or add another version with .status.seen',
        '  ratcheted  .spec.count: minimum 0 → 1',
        '             new values can be rejected; updates of stored objects that do not change this value are accepted',
        '             instead: keep accepting the previous values, and let the controller report unsupported values in a condition',
        '  safe       .status.seen: field added',
        '  safe       .status.why: field added',
        '',
        '1 breaking, 1 ratcheted, 2 safe since git:HEAD',
        '',
      ].join('\n'),
    );
    assert.ok((await project.run(['diff'], { FORCE_COLOR: '1' })).stdout.includes('\u001B[31mbreaking \u001B[39m'));
    assert.equal((await project.run(['diff', '--allow', 'ratcheted'])).exitCode, 1);
    assert.equal((await project.run(['diff', '--allow', 'breaking'])).exitCode, 0);
    const json = await project.run(['diff', '--json']);
    assert.equal(json.exitCode, 1);
    const { against, verdict, findings } = JSON.parse(json.stdout);
    assert.deepEqual([against, verdict, findings.length], ['git:HEAD', 'breaking', 4]);
    const removed = findings.find(({ path }: { readonly path: string }) => path === '.status.counted');
    assert.deepEqual(
      [removed.definition, removed.version, removed.change, removed.class],
      ['foos.example.com', 'v1', 'field removed', 'breaking'],
    );
  });

  it('kubewright diff warns about a test that does not compile, and still compares the definitions', {
    skip,
  }, async () => {
    await using project = await committed();
    await project.write('src/api/v1/foo.test.ts', `import { FooSpec } from './foo.js';\nnew FooSpec().amount = 1;\n`);
    await project.edit(FOO, 'minimum: 0', 'minimum: 1');
    const { exitCode, stdout, stderr } = await project.run(['diff', '--allow', 'ratcheted']);
    assert.equal(
      stderr,
      "warning: tests do not compile:\n  src/api/v1/foo.test.ts:2:15: Property 'amount' does not exist on type 'FooSpec'. (TS2339)\n",
    );
    assert.match(stdout, /ratcheted {2}\.spec\.count: minimum 0 → 1/);
    assert.equal(exitCode, 0);
    await project.edit('src/main.ts', 'manager.add(FooController)', 'manager.add(BarController)');
    const broken = await project.run(['diff']);
    assert.deepEqual([broken.exitCode, broken.stdout], [3, '']);
    assert.match(
      broken.stderr,
      /^error: cannot compile the project:\nsrc\/api\/v1\/foo\.test\.ts:2:15: .*\nsrc\/main\.ts:5:13: /,
    );
  });

  it('kubewright diff --allow ratcheted accepts changes that depend on ratcheting', { skip }, async () => {
    await using project = await committed();
    await project.edit(FOO, 'minimum: 0', 'minimum: 1');
    assert.equal((await project.run(['diff'])).exitCode, 1);
    assert.equal((await project.run(['diff', '--allow', 'ratcheted'])).exitCode, 0);
  });

  it('kubewright diff compares the definitions with another commit, and with files', { skip }, async () => {
    await using project = await committed();
    await git(project, 'tag', 'v1.0.0');
    await project.edit(FOO, 'minimum: 0', 'minimum: -1');
    await project.run(['generate']);
    await git(project, 'commit', '-qam', 'next');
    assert.match((await project.run(['diff'])).stdout, /^no changes since git:HEAD\n$/);
    const tagged = await project.run(['diff', '--against', 'git:v1.0.0']);
    assert.match(tagged.stdout, /safe {7}\.spec\.count: minimum 0 → -1\n\n1 safe since git:v1\.0\.0/);
    assert.match((await project.run(['diff', '--against', 'config'])).stdout, /^no changes since config\n/);
    const list = { apiVersion: 'v1', kind: 'List', items: [other] };
    await writeFile(join(project.root, 'list.json'), JSON.stringify(list));
    const listed = await project.run(['diff', '--against', 'list.json']);
    assert.deepEqual(
      [listed.exitCode, listed.stdout.match(/definition (?:removed|added)/g)],
      [1, ['definition removed', 'definition added']],
    );
  });

  it('kubewright diff reports why it cannot read the definitions of --against, and what to do', { skip }, async () => {
    await using project = await FixtureProject.create();
    const diff = async (args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string> => {
      const { exitCode, stdout, stderr } = await project.run(['diff', ...args], env);
      assert.deepEqual([exitCode, stdout], [2, '']);
      return stderr;
    };
    assert.match(
      await diff([]),
      /^error: .* is not in a git repository; compare with a folder .*--against cluster\)\n$/,
    );
    assert.match(await diff(['--against', 'nowhere']), /cannot read nowhere \(.*\); pass --against git:REF, FILE, DIR/);
    assert.match(
      await diff(['--against', 'src']),
      /src contains no CustomResourceDefinition; pass --against with a file or folder/,
    );
    await writeFile(join(project.root, 'bad.yaml'), 'a: [');
    assert.match(await diff(['--against', 'bad.yaml']), /bad\.yaml:\d+: it is not valid YAML: /);
    await writeFile(
      join(project.root, 'old.yaml'),
      JSON.stringify({ ...other, apiVersion: 'apiextensions.k8s.io/v1beta1' }),
    );
    assert.match(
      await diff(['--against', 'old.yaml']),
      /old\.yaml: its CustomResourceDefinition bars\.example\.com has the apiVersion 'apiextensions\.k8s\.io\/v1beta1'/,
    );
    await git(project, 'init', '-q');
    assert.match(await diff([]), /git does not have the commit HEAD; commit the files of 'kubewright generate', or /);
    assert.match(await diff(['--against', 'git:v9']), /git does not have the commit v9; check 'git log' and 'git tag'/);
    assert.match(await diff([], { PATH: '' }), /cannot run git; install git, or /);
    await git(project, 'commit', '-qm', 'nothing', '--allow-empty');
    const first = await project.run(['diff']);
    assert.deepEqual([first.exitCode, first.stdout.includes('definition added')], [0, true]);
  });

  it('kubewright diff compares the definitions with a cluster, including the versions in which objects are stored', async () => {
    await using project = await FixtureProject.create();
    await project.run(['generate']);
    await using environment = await TestEnvironment.start();
    const kubeconfig = join(project.root, 'kubeconfig');
    await environment.writeKubeconfig(kubeconfig);
    const against = ['diff', '--against', 'cluster', '--kubeconfig', kubeconfig];
    assert.match((await project.run(against)).stdout, /safe {7}definition added/);
    await project.run(['install', '--kubeconfig', kubeconfig]);
    assert.match((await project.run(against)).stdout, /^no changes since cluster\n/);
    await project.edit(FOO, "version: 'v1'", "version: 'v2'");
    const { exitCode, stdout } = await project.run(against);
    assert.equal(exitCode, 1);
    assert.match(stdout, /v1\n {2}breaking {3}version removed\n +the API server rejects the definition while status/);
    const missing = await project.run(['diff', '--against', 'cluster', '--kubeconfig', join(project.root, 'none')]);
    assert.equal(missing.exitCode, 4);
  });
});

const other = crdFor(defineKind({ group: 'example.com', version: 'v1', kind: 'Bar', spec: { type: 'object' } }));
