import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const load = (script: string): Promise<unknown> => import(pathToFileURL(join(root, 'scripts', script)).href);
const { affectedTests } = (await load('affected-tests.mjs')) as {
  readonly affectedTests: (changed: readonly string[], tests: readonly string[]) => readonly string[];
};
const { testFiles } = (await load('run-tests.mjs')) as {
  readonly testFiles: (desired: (path: string) => boolean) => readonly string[];
};

const tests = testFiles(() => true);
const affected = (...changed: readonly string[]): readonly string[] => affectedTests(changed, tests);

const ofQuantity = 'packages/api/src/quantity/quantity.test.ts';
const ofSelectors = 'packages/api/src/selectors/selectors.test.ts';
const ofConformance = 'test/conformance/one-store.test.ts';
const ofDocumentation = 'test/docs/snippets.test.ts';
const ofCommandLine = 'test/command-line/installer.long.test.ts';

const cases: Readonly<
  Record<string, { readonly changed: string; readonly run: readonly string[]; readonly rest: readonly string[] }>
> = {
  'a changed test': { changed: ofQuantity, run: [ofQuantity], rest: [ofSelectors, ofConformance] },
  'a module of a package': {
    changed: 'packages/api/src/quantity/parse.ts',
    run: [ofQuantity, ofCommandLine],
    rest: [ofSelectors],
  },
  'a module that tests import through the entry point of a package': {
    changed: 'packages/runtime/src/cache/reflector/reflector.ts',
    run: [ofConformance, ofCommandLine, 'examples/foo/src/controllers/foo-controller.test.ts'],
    rest: [ofQuantity, ofSelectors],
  },
  'a helper of tests': {
    changed: 'test/contract/contract-api.ts',
    run: ['test/contract/listing.test.ts'],
    rest: [ofQuantity, ofConformance],
  },
  'a recorded response': {
    changed: 'test/contract/answers/listing.json',
    run: ['test/contract/listing.test.ts'],
    rest: [ofQuantity],
  },
  'a page of the documentation': { changed: 'docs/guides/rbac.md', run: [ofDocumentation], rest: [ofQuantity] },
  'a file in the folder of a package that slow tests load': {
    changed: 'packages/apiserver/data/kubernetes-1.36.3/schemas.json',
    run: ['test/limits/limits.test.ts', 'test/explore/bugs.long.test.ts'],
    rest: [ofQuantity, 'packages/runtime/src/cache/reflector/huge-list.long.test.ts'],
  },
  'a script': { changed: 'scripts/help.mjs', run: ['test/gate/help.test.ts'], rest: [ofQuantity, ofConformance] },
};

for (const [what, { changed, run, rest }] of Object.entries(cases)) {
  test(`affectedTests returns the tests that import or read ${what}, and no unrelated test`, () => {
    const found = affected(changed);
    assert.deepEqual(
      run.filter((path) => !found.includes(path)),
      [],
    );
    assert.deepEqual(
      rest.filter((path) => found.includes(path)),
      [],
    );
    for (const path of [...run, ...rest]) assert.ok(tests.includes(path), `${path} is not a test`);
  });
}

test('affectedTests returns all tests for a change of the dependencies, and no test for a change of the license', () => {
  assert.deepEqual(affected('package-lock.json'), tests);
  assert.deepEqual(affected('LICENSE'), []);
});
