// Computes keys for the results of tests. Two runs with the same key have the same inputs.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { release } from 'node:os';
import { delimiter, join, relative, sep } from 'node:path';
import { cacheFolder } from './cache-folder.mjs';
import { root } from './setup.mjs';

/** Matches folders and files that are not sources: outputs of the build and of tests, installed packages, and data of Git. */
const NOT_SOURCES = /^(node_modules|dist|\.git|\.temp|\.test-results|\.kubewright)$|\.tsbuildinfo$/;
/** Matches environment variables that tests, Node.js and the test runner read. */
const VARIABLES = /^(KUBEWRIGHT_.+|KUBEBUILDER_ASSETS|KUBECONFIG|NODE_.+|CI|TZ|LANG|LC_.+)$/;
/** Matches environment variables that contain only paths of files, or that the test runner sets in each process. */
const NOT_READ_BY_TESTS = /^(KUBEWRIGHT_(TEST_RESULTS|RESULTS_CACHE|RERUN)|NODE_TEST_CONTEXT)$/;

/**
 * Returns a function that computes the key of the results of tests. The key contains the contents of all files of the repository that
 * `isInput` accepts, the Node.js version, the operating system, the user, environment variables, and the programs on PATH and in the cache.
 * - `name`: the name of the run, such as 'all'
 * - `files`: the paths of the test files
 * - `isInput`: accepts the paths of inputs, relative to the root and with slashes
 * - `values`: other values on which the results depend
 */
export function resultKeys(hashes = sourceHashes(root), machine = machineValues()) {
  return ({ name, files, isInput, values = [] }) =>
    digest([name, files, values, machine, [...hashes].filter(([path]) => isInput(path))]);
}

/** Returns a map from the path of each source below a folder to the digest of its content and its mode, sorted by path. */
export function sourceHashes(folder) {
  const hashes = [];
  const add = (each) => {
    for (const entry of readdirSync(each, { withFileTypes: true })) {
      const path = join(each, entry.name);
      if (NOT_SOURCES.test(entry.name)) continue;
      if (entry.isDirectory()) add(path);
      else hashes.push([relative(folder, path).split(sep).join('/'), hashOf(path, entry)]);
    }
  };
  add(folder);
  return new Map(hashes.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function hashOf(path, entry) {
  if (entry.isSymbolicLink()) return digest(['link', readlinkSync(path)]);
  if (!entry.isFile()) return digest(['special file']);
  try {
    const isExecutable = (statSync(path).mode & 0o111) !== 0;
    return createHash('sha256').update(String(isExecutable)).update(readFileSync(path)).digest('hex');
  } catch (error) {
    // The build of the documentation site, which can run at the same time, creates and deletes a file.
    if (error.code === 'ENOENT') return digest(['deleted file']);
    throw error;
  }
}

/** Returns the properties of this machine and of the environment variables on which the results of tests can depend. */
export function machineValues(environment = process.env) {
  const variables = Object.entries(environment).filter(
    ([name]) => VARIABLES.test(name) && !NOT_READ_BY_TESTS.test(name),
  );
  return [
    process.versions.node,
    process.platform,
    process.arch,
    release(),
    process.getuid?.(),
    variables.toSorted(),
    programsOnPath(environment.PATH ?? ''),
    programsInCache(),
  ];
}

/**
 * Returns the name, the size and the modification time of each file in the folders of PATH. These files are inputs, because a test is
 * skipped if a program is missing. Omits the programs of installed packages, because the lock file determines them.
 */
export function programsOnPath(path) {
  const folders = path.split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, ...versionOf(join(folder, name))]),
  );
}

/** Returns the names of the programs in the cache, and the digests of the sources from which they were built. */
function programsInCache() {
  if (!existsSync(cacheFolder)) return [];
  return readdirSync(cacheFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'results')
    .flatMap(({ name }) => readdirSync(join(cacheFolder, name)).map((version) => join(name, version)))
    .toSorted()
    .map((path) => {
      const sources = join(cacheFolder, path, 'sources');
      return [path, existsSync(sources) ? readFileSync(sources, 'utf8') : ''];
    });
}

function versionOf(path) {
  try {
    const { size, mtimeMs } = statSync(realpathSync(path));
    return [size, mtimeMs];
  } catch {
    return ['a link to a missing file'];
  }
}

function digest(value) {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
