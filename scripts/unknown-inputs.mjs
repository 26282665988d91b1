// node scripts/unknown-inputs.mjs [PATTERN …]: runs slow tests, or all tests whose path contains a pattern, one by one. Prints the files of
// the repository that a test reads although they are not among its inputs (see test-inputs.mjs). Compares the access times of the files, so
// no other program may read the files at the same time, and the file system must record access times.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { compiledPath, isLong, testFiles } from './run-tests.mjs';
import { root, setUp } from './setup.mjs';
import { testInputs } from './test-inputs.mjs';

/** Matches folders and files that are not sources: installed packages, data of Git and of test runs, and data of the build. */
const NOT_SOURCES = /^(node_modules|\.git|\.test-results)$|\.tsbuildinfo$/;
/** An access time before all modification times, so that a file system with the option `relatime` records the next access. */
const EARLY = '200001010000';
/** The number of files for which one call of `touch` sets the access time. */
const BATCH = 1000;
/** The maximum number of unknown inputs of a test that are printed. */
const MOST_PRINTED = 20;

setUp();
const patterns = process.argv.slice(2);
const chosen = testFiles((path) =>
  patterns.length === 0 ? isLong(path) : patterns.some((pattern) => path.includes(pattern)),
);
const { foldersOf } = testInputs();
const paths = filesBelow(root);
requireAccessTimes();
for (const path of chosen) {
  const test = path.split(sep).join('/');
  forgetAccess(paths);
  const { status } = spawnSync(process.execPath, [compiledPath(path)], { cwd: root, stdio: 'ignore' });
  const read = [...new Set(paths.filter(wasRead).map(sourceOf))];
  const isInput = foldersOf([test]);
  const unknown = read.filter((each) => !isInput(each)).toSorted();
  console.log(`${test}: ${status === 0 ? '' : 'FAILED, '}reads ${read.length} files, ${unknown.length} unknown inputs`);
  for (const each of unknown.slice(0, MOST_PRINTED)) console.log(`  ${each}`);
  if (status !== 0 || unknown.length > 0) process.exitCode = 1;
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !NOT_SOURCES.test(entry.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path);
      return entry.isFile() ? [path] : [];
    });
}

function requireAccessTimes() {
  const [path] = paths;
  forgetAccess([path]);
  readFileSync(path);
  if (!wasRead(path)) throw new Error('cannot find unknown inputs: the file system does not record access times');
}

/** Sets the access times of files. Does not change their modification times, which the build compares. */
function forgetAccess(files) {
  for (let at = 0; at < files.length; at += BATCH) {
    spawnSync('touch', ['-a', '-t', EARLY, ...files.slice(at, at + BATCH)], { stdio: 'inherit' });
  }
}

function wasRead(path) {
  const { atime } = statSync(path);
  return atime.getFullYear() > Number(EARLY.slice(0, 4));
}

/** Returns the path of a file relative to the root. For a compiled file, returns the path of its source. */
function sourceOf(path) {
  return relative(root, path)
    .split(sep)
    .join('/')
    .replace(/^test\/dist\//, 'test/')
    .replace(/(^|\/)dist\//, '$1src/')
    .replace(/\.js$/, '.ts');
}
