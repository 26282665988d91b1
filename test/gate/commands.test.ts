import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { npm } = (await import(pathToFileURL(join(root, 'scripts', 'setup.mjs')).href)) as {
  readonly npm: readonly string[];
};
const packages = ['packages/apiserver', 'packages/cli', 'create-operator'];

interface Outcome {
  readonly exitCode: number | string | null;
  readonly output: string;
}

function run(file: string, args: readonly string[], cwd = root): Promise<Outcome> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(file, args, { cwd, env }, (error, stdout, stderr) => {
      resolve({ exitCode: error === null ? 0 : (error.code ?? null), output: stdout + stderr });
    });
  });
}

for (const folder of packages) {
  test(`npm links the command of ${folder} before the build, and an unbuilt command reports that the build is missing`, async () => {
    const { bin } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')) as {
      readonly bin: Readonly<Record<string, string>>;
    };
    for (const [name, target] of Object.entries(bin)) {
      const path = join(root, folder, target);
      assert.ok((await stat(path)).mode & 0o100, `${target} is not executable`);
      assert.ok(!target.includes('dist/'), `${target} is an output of the build`);
      assert.ok((await stat(join(root, 'node_modules', '.bin', name))).isFile());
      const unbuilt = await mkdtemp(join(tmpdir(), 'kubewright-unbuilt-'));
      try {
        await cp(path, join(unbuilt, 'bin', basename(path)));
        const { exitCode, output } = await run(process.execPath, [join(unbuilt, 'bin', basename(path)), '--help']);
        assert.equal(output, 'error: the package is not built; run npm run build in the clone\n');
        assert.equal(exitCode, 2);
      } finally {
        await rm(unbuilt, { recursive: true });
      }
      const help = await run(process.execPath, [path, '--help']);
      assert.equal(help.exitCode, 0, help.output);
    }
  });
}

test('npm run generate works in the folder of an example', async () => {
  const [command = '', ...args] = npm;
  const { exitCode, output } = await run(
    command,
    [...args, 'run', 'generate', '--', '--check'],
    join(root, 'examples/foo'),
  );
  assert.equal(exitCode, 0, output);
});
