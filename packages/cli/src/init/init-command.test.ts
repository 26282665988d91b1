import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runRecorded } from '../test-support/run-recorded.js';

async function folder(t: TestContext): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'kubewright-init-'));
  t.after(() => rm(cwd, { recursive: true }));
  return cwd;
}

test('kubewright init creates a project; a second run reports that the project already exists', async (t) => {
  const cwd = await folder(t);
  const args = ['init', 'web-operator', '--version', 'v1beta1', '--no-install', '--no-git', '--no-color'];
  const first = await runRecorded(args, { cwd });
  assert.deepEqual([first.exitCode, first.stderr], [0, '']);
  assert.match(first.stdout, /^created web-operator: an operator for Web \(example.com\/v1beta1\)\n/);
  const second = await runRecorded(args, { cwd });
  assert.match(second.stdout, /^web-operator already exists\n/);
  const { name } = JSON.parse(await readFile(join(cwd, 'web-operator/package.json'), 'utf8')) as { name: string };
  assert.equal(name, 'web-operator');
});

test('kubewright init creates no files for invalid options or a missing package manager', async (t) => {
  const cwd = await folder(t);
  const wrong = await runRecorded(['init', '--kind', 'web-site'], { cwd });
  assert.equal(wrong.exitCode, 2);
  assert.match(wrong.stderr, /^error: cannot create the project: kind 'web-site' .* use 'WebSite'\n$/);
  assert.equal((await runRecorded(['init', '--package-manager', 'npx'], { cwd })).exitCode, 2);
  assert.equal((await runRecorded(['init', 'x', '--package-manager', 'bun'], { cwd, env: { PATH: cwd } })).exitCode, 4);
  assert.deepEqual(await readdir(cwd), []);
});
