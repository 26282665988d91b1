import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { FixtureProject, KUBEWRIGHT, repository } from './fixture-project.js';
import { testedProject } from './tested-project.js';

const memcached = join(repository, 'packages/cli/src/test-support/memcached');
const run = promisify(execFile);

describe('kubewright migrate', () => {
  it('kubewright migrate creates a project that compiles, passes its tests, and has the original definitions', async () => {
    await using around = await FixtureProject.create();
    const { exitCode, stderr } = await around.run(['migrate', memcached, 'migrated']);
    assert.deepEqual([exitCode, stderr], [0, '']);
    const root = join(around.root, 'migrated');
    assert.match(await testedProject(root), /\n# pass 4\n/);
    await run(process.execPath, [KUBEWRIGHT, 'generate'], { cwd: root });
    const against = join(memcached, 'config/crd/bases');
    const difference = await run(process.execPath, [KUBEWRIGHT, 'diff', '--against', against], { cwd: root });
    assert.match(difference.stdout, /^no changes since /);
    const role = await around.read('migrated/config/rbac/role.yaml');
    assert.match(role, /- secrets\n/);
    assert.match(role, /nonResourceURLs:\n {2}- \/metrics\n/);
  });
});
