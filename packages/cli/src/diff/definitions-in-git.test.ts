import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { it } from 'node:test';
import { runProgram } from '../project/run-program.js';
import { definitionsInGit } from './definitions-in-git.js';

const hasGit = (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'git')));
const definition = (name: string): string =>
  JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: { names: {}, versions: [] },
  });

it('definitionsInGit reads only the definitions of a project in a subfolder of the repository', {
  skip: !hasGit && 'git is not in PATH',
}, async () => {
  const repository = await mkdtemp(join(tmpdir(), 'kubewright-git-'));
  try {
    const root = join(repository, 'operators', 'mine');
    const git = (...args: readonly string[]) =>
      runProgram('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: repository });
    for (const [folder, name] of [
      [root, 'mine'],
      [repository, 'another'],
    ] as const) {
      const bases = join(folder, 'config', 'crd', 'bases');
      await mkdir(bases, { recursive: true });
      await writeFile(join(bases, 'one.yaml'), `# Generated\n${definition(name)}`);
      await writeFile(join(bases, '..', 'kustomization.yaml'), 'kind: Kustomization');
    }
    await git('init', '-q');
    await git('add', '.');
    await git('commit', '-qm', 'release');
    const found = await definitionsInGit('HEAD', { root, env: process.env, signal: new AbortController().signal });
    assert.deepEqual(
      found.map(({ metadata }) => metadata.name),
      ['mine'],
    );
  } finally {
    await rm(repository, { recursive: true });
  }
});
