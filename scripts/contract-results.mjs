// The results of the contract tests on a real control plane, which a cache outside of the repository keeps. These tests compare recorded
// responses with the responses of the control plane, so a change of the packages cannot change their results.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './setup.mjs';

/** The prefix of the paths of the contract tests. */
export const CONTRACT = 'test/contract/';
/** The folders and files on which the results depend, besides the programs of the control plane and Node.js. */
const INPUTS = ['test/contract', 'test/server', 'packages/testing/src/control-plane', 'scripts/contract-results.mjs'];

/**
 * Returns the recorded results of the contract tests on the control plane in this folder. Returns undefined if the control plane, Node.js or
 * an input has changed since the last run in which all contract tests passed.
 */
export function recordedContract(controlPlane) {
  const path = recordPath(controlPlane);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

/** Records the results of the contract tests among these tests if all of them passed. Replaces the record of older inputs. */
export function recordContract(controlPlane, tests) {
  const contract = tests.filter(({ file }) => file.startsWith(CONTRACT));
  if (contract.length === 0 || contract.some(({ outcome }) => outcome !== 'passed')) return;
  const path = recordPath(controlPlane);
  rmSync(dirname(path), { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(contract));
}

function recordPath(controlPlane) {
  const hash = createHash('sha256').update(process.versions.node);
  hash.update(readFileSync(join(controlPlane, 'sources')));
  for (const path of INPUTS.flatMap((input) => filesOf(input))) {
    hash.update(`\n${path}\n`).update(readFileSync(join(root, path)));
  }
  return join(controlPlane, 'contract', `${hash.digest('hex')}.json`);
}

/** Returns the path itself, or the files below the folder; sorted and relative to the root. */
function filesOf(path) {
  if (path.endsWith('.mjs')) return [path];
  return readdirSync(join(root, path), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted();
}
