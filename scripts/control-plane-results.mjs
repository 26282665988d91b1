// The results of tests on a real control plane that do not depend on the packages under test, which a cache outside of the repository keeps.
// The contract tests compare recorded responses with the responses of the control plane. The tests of kubectl compare the output of kubectl
// with the output that the embedded server must cause. Only a change of their own inputs can change these results.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { root } from './setup.mjs';

/**
 * The tests with recorded results, by the name of the record.
 * - `tests`: the prefix of the paths of the tests
 * - `inputs`: the folders and files on which the results depend, besides the control plane, Node.js and `INPUTS`
 * - `values`: returns other values on which the results depend
 */
const RECORDS = {
  contract: { tests: 'test/contract/', inputs: ['test/contract', 'packages/testing/src/control-plane'] },
  kubectl: {
    tests: 'test/kubectl/kubectl.test.ts',
    inputs: ['test/kubectl', 'test/programs', 'packages/testing/src'],
    values: async () => [kubectlOnPath(), await definitions()],
  },
};
/** The files on which all recorded results depend. */
const INPUTS = ['test/server', 'scripts/control-plane-results.mjs'];

/** Reports whether the results of a test file are recorded. */
export function isRecorded(path) {
  return Object.values(RECORDS).some(({ tests }) => hasPrefix(path, tests));
}

/**
 * Returns the recorded results on the control plane in this folder, by the prefix of the paths of their tests. Omits a record if the control
 * plane, Node.js or an input has changed since the last run in which all tests of the record passed.
 */
export async function recordedResults(controlPlane) {
  const found = new Map();
  for (const [name, record] of Object.entries(RECORDS)) {
    const path = await recordPath(controlPlane, name, record);
    if (existsSync(path)) found.set(record.tests, JSON.parse(readFileSync(path, 'utf8')));
  }
  return found;
}

/**
 * Records the results of tests on the control plane in this folder. Replaces a record if `files` contains all test files of the record among
 * `all`, and all of their tests passed.
 */
export async function recordResults(controlPlane, { files, tests }, all) {
  for (const [name, record] of Object.entries(RECORDS)) {
    const results = tests.filter(({ file }) => hasPrefix(file, record.tests));
    const isComplete = all.every((path) => !hasPrefix(path, record.tests) || files.includes(path));
    if (!isComplete || results.length === 0 || results.some(({ outcome }) => outcome !== 'passed')) continue;
    const path = await recordPath(controlPlane, name, record);
    rmSync(dirname(path), { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(results));
  }
}

async function recordPath(controlPlane, name, { inputs, values }) {
  const hash = createHash('sha256').update(process.versions.node);
  hash.update(readFileSync(join(controlPlane, 'sources')));
  for (const path of [...inputs, ...INPUTS].flatMap((input) => filesOf(input))) {
    hash.update(`\n${path}\n`).update(readFileSync(join(root, path)));
  }
  for (const value of (await values?.()) ?? []) hash.update(`\n${value}\n`);
  return join(controlPlane, 'results', name, `${hash.digest('hex')}.json`);
}

/** Returns the version of the kubectl on PATH, which the tests also run. Returns an empty text without kubectl. */
function kubectlOnPath() {
  return spawnSync('kubectl', ['version', '--client', '-o', 'json'], { encoding: 'utf8' }).stdout ?? '';
}

/** Returns the CustomResourceDefinitions that the tests of kubectl install. */
async function definitions() {
  const { crdFor } = await import('@kubewright/api/metadata');
  const { kinds } = await import('@kubewright/example-virtual-machine');
  return JSON.stringify(crdFor(kinds));
}

function hasPrefix(path, prefix) {
  return path.split(sep).join('/').startsWith(prefix);
}

/** Returns the path itself, or the files below the folder; sorted and relative to the root. */
function filesOf(path) {
  if (path.endsWith('.mjs')) return [path];
  return readdirSync(join(root, path), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted();
}
