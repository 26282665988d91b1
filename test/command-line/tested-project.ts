import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { repository } from './fixture-project.js';

const TSC = join(repository, 'node_modules/typescript/bin/tsc');
const run = promisify(execFile);

/**
 * Compiles the project in a folder, runs the tests of the project, and returns the test report. To save time, all tests run in one process,
 * which loads the packages only once. The tests with `explore` search for one second. `npm run test:scaffold` tests the script `test` of a
 * project, which starts a process for each file.
 */
export async function testedProject(root: string): Promise<string> {
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined };
  await run(process.execPath, [TSC, '-p', root]);
  const dist = join(root, 'dist');
  const files = (await readdir(dist, { recursive: true })).filter((path) => path.endsWith('.test.js')).toSorted();
  if (files.length === 0) throw new Error(`${dist} has no tests`);
  for (const path of files) {
    const text = await readFile(join(dist, path), 'utf8');
    await writeFile(join(dist, path), text.replaceAll("budget: '10s'", "budget: '1s'"));
  }
  const imports = files.map((path) => `import ${JSON.stringify(pathToFileURL(join(dist, path)).href)};`).join('\n');
  const args = ['--test-reporter=tap', '--input-type=module', '--eval', imports];
  const { stdout } = await run(process.execPath, args, { cwd: dist, env });
  return stdout;
}
