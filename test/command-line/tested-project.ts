import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from './fixture-project.js';

const TSC = join(repository, 'node_modules/typescript/bin/tsc');
const run = promisify(execFile);

/** Compiles the project in a folder and runs its tests, like its script `test`. Returns the test report. */
export async function testedProject(root: string): Promise<string> {
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined };
  await run(process.execPath, [TSC, '-p', root]);
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap'], { cwd: join(root, 'dist'), env });
  return stdout;
}
