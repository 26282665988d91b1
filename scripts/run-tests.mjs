// Runs test files on what they were compiled to, and leaves what the conformance table and the summary are made of in .test-results.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, sep } from 'node:path';
import { files, root } from './setup.mjs';

/** A file that takes longer hangs, and fails; the longest of those that do not takes four minutes. */
const fileLimitMs = 15 * 60_000;

/** Where projects of their own are kept, whose tests are run with them. */
const keptProjects = /(^|\/)(goldens|scaffold\/compared\/memcached)\//;

/** The test files whose path passes, relative to the root. */
export function testFiles(wanted) {
  return files(root, (name) => name.endsWith('.test.ts'))
    .map((path) => relative(root, path))
    .filter((path) => !keptProjects.test(path.split(sep).join('/')) && wanted(path));
}

/** Where the results of a kind of run are recorded. */
export function resultsFile(name) {
  return join(root, '.test-results', `${name}.json`);
}

/** Runs the files, so many at a time, and gives the exit code. `results` names the record; `environment` is added to that of this process. */
export function runTests(paths, { results, environment = {}, concurrency = Math.max(2, availableParallelism()) }) {
  mkdirSync(join(root, '.test-results'), { recursive: true });
  const { status } = spawnSync(
    process.execPath,
    [
      '--enable-source-maps',
      '--test',
      `--test-concurrency=${concurrency}`,
      `--test-timeout=${fileLimitMs}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      `--test-reporter=${join(root, 'scripts', 'conformance-reporter.mjs')}`,
      `--test-reporter-destination=${resultsFile(results)}`,
      ...paths.map(compiledPath),
    ],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...environment } },
  );
  return status ?? 1;
}

/** packages/api/src/x.test.ts → packages/api/dist/x.test.js; test/kubectl/x.test.ts → test/dist/kubectl/x.test.js */
function compiledPath(path) {
  const parts = path.replace(/\.ts$/, '.js').split(sep);
  if (parts[0] === 'test' || (parts[0] === 'scripts' && parts[1] !== 'src')) parts.splice(1, 0, 'dist');
  else parts[parts.indexOf('src')] = 'dist';
  return join(...parts);
}
