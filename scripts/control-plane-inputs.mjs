// The inputs of tests on a real control plane. Some of these tests do not depend on the packages under test: the contract tests compare
// recorded responses with the responses of the control plane, and the tests of kubectl compare the output of kubectl with the output that
// they also expect with the embedded server. Only a change of their own inputs can change their results.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isReadByAll, testInputs } from './test-inputs.mjs';

/**
 * The tests that do not depend on the packages.
 * - `tests`: the prefix of the paths of the tests
 * - `inputs`: the prefixes of the paths of their inputs
 * - `values`: returns other values on which the results depend
 */
const WITHOUT_PACKAGES = [
  {
    tests: 'test/contract/',
    inputs: ['test/contract/', 'test/server/', 'packages/testing/src/control-plane/'],
  },
  {
    tests: 'test/kubectl/kubectl.test.ts',
    inputs: ['test/kubectl/', 'test/programs/', 'test/server/', 'packages/testing/src/'],
    values: definitions,
  },
];

/**
 * Returns a function that returns the inputs of test files on a control plane, as `earlierResults` expects it.
 * @param folders the folders of the programs that the tests run
 */
export async function controlPlaneInputs(folders) {
  const { foldersOf } = testInputs();
  const built = folders.map((folder) => readFileSync(join(folder, 'sources'), 'utf8'));
  const known = await Promise.all(
    WITHOUT_PACKAGES.map(async (each) => ({ ...each, values: (await each.values?.()) ?? [] })),
  );
  return (files) => {
    const found = known.find(({ tests }) => files.every((path) => path.startsWith(tests)));
    if (found === undefined) return { isInput: foldersOf(files), values: built };
    const isInput = (path) => isReadByAll(path) || found.inputs.some((prefix) => path.startsWith(prefix));
    return { isInput, values: [...built, ...found.values] };
  };
}

/** Returns the CustomResourceDefinitions that the tests of kubectl install. */
async function definitions() {
  const { crdFor } = await import('@kubewright/api/metadata');
  const { kinds } = await import('@kubewright/example-virtual-machine');
  return [JSON.stringify(crdFor(kinds))];
}
