import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** The exports of scripts/test-bundle.mjs. */
interface TestBundle {
  readonly bundleFlags: (processes: readonly (readonly string[])[]) => readonly string[];
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const program = fileURLToPath(new URL('./bundled-program.js', import.meta.url));
const { bundleFlags } = (await import(pathToFileURL(join(root, 'scripts', 'test-bundle.mjs')).href)) as TestBundle;
const run = promisify(execFile);

/** Returns processes that each run one test file in this folder. */
function processes(length: number, folder: string): readonly (readonly string[])[] {
  return Array.from({ length }, (_, at) => [join(folder, `${at}.test.ts`)]);
}

test('test processes load the bundle only in a run with many processes outside of the packages', () => {
  assert.deepEqual(bundleFlags(processes(9, 'test')), []);
  assert.deepEqual(bundleFlags(processes(99, 'packages')), []);
});

test('a process with the flags of the bundle shares one copy of the packages with the examples', async () => {
  const flags = bundleFlags(processes(10, 'test'));
  assert.equal(flags.length, 1);
  const loaded = async (args: readonly string[]): Promise<{ readonly from: string; readonly group: string }> =>
    JSON.parse((await run(process.execPath, [...args, program])).stdout) as never;
  const bundled = await loaded(flags);
  assert.match(bundled.from, /\/test\/dist\/node_modules\/@kubewright\/api\/bundle\/metadata\.js$/);
  assert.equal(bundled.group, 'cloud.waibizi.com');
  // Without the flags, for example if a developer starts one compiled test, the process loads the modules of the packages.
  const { from, group } = await loaded([]);
  assert.match(from, /\/packages\/api\/dist\/metadata\.js$/);
  assert.equal(group, bundled.group);
});
