import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

interface Ended {
  readonly exitCode: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

function run(path: string, ...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [path, ...args], (error, stdout, stderr) => {
      resolve({ exitCode: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

/** Returns the command that the help of a script shows. The script `apiserver` shows the help of kubewright-apiserver. */
function commandOf(name: string): string {
  if (name === 'apiserver') return 'kubewright-apiserver';
  return name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`;
}

for (const [name, script] of Object.entries(scripts)) {
  const [, path] = /^node (\S+)$/.exec(script) ?? [];
  if (path === undefined) continue;
  for (const option of ['--help', '-h']) {
    test(`${commandOf(name)} ${option} prints its usage and exits with 0`, async () => {
      const { exitCode, stdout, stderr } = await run(join(root, path), option);
      assert.deepEqual([exitCode, stderr], [0, '']);
      const [, usage = ''] = /^Usage:\s+(.*)$/m.exec(stdout) ?? [];
      assert.ok(usage.startsWith(commandOf(name)), stdout);
      assert.match(stdout, /^ +-h, --help +print this help$/m);
    });
  }
}

test('every npm script of the repository is a single Node.js script with a help text', () => {
  const others = Object.entries(scripts).filter(([, script]) => !/^node \S+$/.test(script));
  assert.deepEqual(
    others.map(([name]) => name),
    ['format'],
  );
});

test('npm run build starts in a clone whose path contains a symbolic link', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-link-'));
  try {
    await symlink(root, join(folder, 'clone'));
    const { stdout } = await run(join(folder, 'clone', 'scripts', 'setup.mjs'), '--help');
    assert.match(stdout, /^Usage: npm run build\n/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
