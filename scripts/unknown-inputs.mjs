// node scripts/unknown-inputs.mjs [PATTERN …]: runs slow tests with strace, and prints the files of the repository that a test reads although
// they are not among its inputs. See test-inputs.mjs. Requires Linux and strace.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { compiledPath, isLong, testFiles } from './run-tests.mjs';
import { root, setUp } from './setup.mjs';
import { testInputs } from './test-inputs.mjs';

/** Matches files that are not sources: installed packages, data of Git and of test runs, and output of the build besides modules. */
const NOT_SOURCES = /(^|\/)(node_modules|\.git|\.test-results)\/|\.tsbuildinfo$|\.js\.map$/;
/** Matches a successful call that opens a file to read it, with the path of the file. */
const OPENED = /O_RDONLY(?!.*O_DIRECTORY).* = \d+<([^>]*)>$/;

setUp();
const patterns = process.argv.slice(2);
const chosen = testFiles(
  (path) => isLong(path) && (patterns.length === 0 || patterns.some((pattern) => path.includes(pattern))),
);
const { foldersOf } = testInputs();
for (const path of chosen) {
  const test = path.split(sep).join('/');
  const isInput = foldersOf([test]);
  const { status, read } = filesReadBy(path);
  const unknown = read.filter((each) => !isInput(each));
  console.log(`${test}: ${status === 0 ? '' : 'FAILED, '}reads ${read.length} files, ${unknown.length} unknown inputs`);
  for (const each of unknown) console.log(`  ${each}`);
  if (status !== 0 || unknown.length > 0) process.exitCode = 1;
}

/** Runs a test file. Returns the exit code, and the paths of the sources that its processes read, sorted. */
function filesReadBy(path) {
  const folder = mkdtempSync(join(tmpdir(), 'kubewright-strace-'));
  try {
    const log = join(folder, 'log');
    const { status, error } = spawnSync(
      'strace',
      ['-f', '-y', '-qq', '--seccomp-bpf', '-e', 'trace=open,openat', '-o', log, process.execPath, compiledPath(path)],
      { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    if (error) throw error;
    const opened = readFileSync(log, 'utf8')
      .split('\n')
      .flatMap((line) => OPENED.exec(line)?.[1] ?? [])
      .filter((each) => each.startsWith(root + sep))
      .map((each) => relative(root, each));
    return { status, read: [...new Set(opened.filter((each) => !NOT_SOURCES.test(each)).map(sourceOf))].toSorted() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the source of a compiled file, or the path itself. */
function sourceOf(path) {
  if (!/(^|\/)dist\//.test(path)) return path;
  return path
    .replace(/^test\/dist\//, 'test/')
    .replace(/(^|\/)dist\//, '$1src/')
    .replace(/\.js$/, '.ts');
}
