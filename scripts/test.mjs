// npm test [-- PATTERN …]: sets the clone up and runs the tests, all or those whose file name holds a pattern. Leaves what the
// conformance table is made of in .test-results.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, sep } from 'node:path';
import { files, root, setUp } from './setup.mjs';

setUp();
const patterns = process.argv.slice(2);
const results = join(root, '.test-results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const compiled = files(root, (name) => name.endsWith('.test.ts'))
  .map((path) => relative(root, path))
  .filter((path) => !path.startsWith(join('test', 'architecture')))
  .filter((path) => patterns.length === 0 || patterns.some((pattern) => path.includes(pattern)))
  .map(compiledPath);
if (compiled.length === 0) {
  console.error(`no test file has ${patterns.join(' or ')} in its path`);
  process.exit(1);
}

const { status } = spawnSync(
  process.execPath,
  [
    '--enable-source-maps',
    '--test',
    `--test-concurrency=${Math.max(2, availableParallelism())}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${join(root, 'scripts', 'conformance-reporter.mjs')}`,
    `--test-reporter-destination=${join(results, 'conformance.json')}`,
    ...compiled,
  ],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
);
process.exitCode = status ?? 1;

/** packages/api/src/x.test.ts → packages/api/dist/x.test.js; test/kubectl/x.test.ts → test/dist/kubectl/x.test.js */
function compiledPath(path) {
  const parts = path.replace(/\.ts$/, '.js').split(sep);
  if (parts[0] === 'test' || (parts[0] === 'scripts' && parts[1] !== 'src')) parts.splice(1, 0, 'dist');
  else parts[parts.indexOf('src')] = 'dist';
  return join(...parts);
}
