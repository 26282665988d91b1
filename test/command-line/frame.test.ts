import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { FixtureProject, KUBEWRIGHT, repository } from './fixture-project.js';

/** Runs a bash script. The script can call the built command as `kubewright`. */
function bash(script: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const alias = `kubewright() { '${process.execPath}' '${KUBEWRIGHT}' "$@"; }`;
  return spawnSync('bash', ['-c', `set -o pipefail\n${alias}\n${script}`], { encoding: 'utf8' });
}
/** False if bash is installed; otherwise the reason for skipping a test. */
const hasBash = spawnSync('bash', ['-c', 'true']).status === 0 ? false : 'bash is not installed';

describe('kubewright', () => {
  it('kubewright runs in bash, and succeeds even if the reader of its output closes the pipe early', {
    skip: hasBash,
  }, () => {
    const { version } = JSON.parse(
      spawnSync(process.execPath, ['-p', `JSON.stringify(require('${repository}packages/cli/package.json'))`], {
        encoding: 'utf8',
      }).stdout,
    ) as { readonly version: string };
    assert.equal(bash('kubewright --version').stdout, `${version}\n`);
    const cut = bash('kubewright completion bash | head -n 1');
    assert.deepEqual([cut.status, cut.stdout.split('\n').length, cut.stderr], [0, 2, '']);
  });

  it('kubewright rejects a Node.js version that is too old', () => {
    const pretend = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })";
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, KUBEWRIGHT, '--help'],
      { encoding: 'utf8' },
    );
    assert.deepEqual([status, stderr], [2, 'error: this is Node.js 18.20.4; install Node.js 20.19 or newer\n']);
  });

  it('kubewright completes commands and options in bash', { skip: hasBash }, () => {
    const offers = (words: string): readonly string[] => {
      const call = `COMP_WORDS=(${words}) COMP_CWORD=$(( $(set -- ${words}; echo $#) - 1 )); _kubewright; echo "\${COMPREPLY[@]}"`;
      const { status, stdout, stderr } = bash(`source <(kubewright completion bash)\n${call}`);
      assert.equal(status, 0, stderr);
      return stdout.trim().split(' ');
    };
    assert.deepEqual(offers('kubewright gen'), ['generate']);
    assert.deepEqual(offers('kubewright generate --c'), ['--check']);
    assert.deepEqual(offers("kubewright completion ''").toSorted(), ['bash', 'fish', 'zsh']);
    assert.deepEqual(offers('kubewright init --package-manager p'), ['pnpm']);
  });

  it('kubewright exits with 130 on SIGINT, and writes nothing', async () => {
    await using project = await FixtureProject.create();
    await project.edit(
      'src/main.ts',
      'await manager.start();',
      "console.log('waiting');\nsetInterval(() => manager, 1000);",
    );
    const child = project.start(['generate']);
    child.stderr?.once('data', () => child.kill('SIGINT'));
    assert.deepEqual(await once(child, 'exit'), [130, null]);
    await assert.rejects(project.files('config'), { code: 'ENOENT' });
  });

  it('kubewright uses the packages that the project has installed, but rejects packages of another version than the command', async () => {
    await using project = await FixtureProject.create();
    const installed = join(project.root, 'node_modules');
    await rm(installed);
    await mkdir(join(installed, '@kubewright'), { recursive: true });
    for (const name of await readdir(join(repository, 'node_modules'))) {
      if (name !== '@kubewright') await symlink(join(repository, 'node_modules', name), join(installed, name));
    }
    for (const name of ['api', 'runtime']) {
      const from = join(repository, 'packages', name);
      const to = join(installed, '@kubewright', name);
      await cp(join(from, 'package.json'), join(to, 'package.json'));
      await cp(join(from, 'dist'), join(to, 'dist'), { recursive: true });
    }
    const { exitCode, stdout, stderr } = await project.runProcess(['generate']);
    assert.equal(`${exitCode}${stderr}`, '0');
    assert.match(stdout, /^wrote config\/crd\/bases\/example\.com_foos\.yaml$/m);
    assert.match(await project.read('config/crd/bases/example.com_foos.yaml'), /description: The desired count\.\n/);
    await project.edit('node_modules/@kubewright/runtime/package.json', '"version": "', '"version": "9.');
    const refused = await project.runProcess(['generate']);
    assert.equal(refused.exitCode, 3);
    assert.match(
      refused.stderr,
      /^error: cannot inspect the project: the project has @kubewright\/runtime 9\..*, but this is kubewright /,
    );
  });
});
