import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

type Predicate = (path: string) => boolean;
/** The exports of scripts/result-keys.mjs. */
interface ResultKeys {
  readonly resultKeys: (
    hashes?: ReadonlyMap<string, string>,
    machine?: unknown,
  ) => (tests: {
    readonly name: string;
    readonly files: readonly string[];
    readonly isInput: Predicate;
    readonly values?: readonly unknown[];
  }) => string;
  readonly sourceHashes: (folder: string) => ReadonlyMap<string, string>;
  readonly machineValues: (environment?: NodeJS.ProcessEnv) => readonly unknown[];
  readonly programsOnPath: (path: string) => readonly unknown[];
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const load = (script: string): Promise<unknown> => import(pathToFileURL(join(root, 'scripts', script)).href);
const { machineValues, programsOnPath, resultKeys, sourceHashes } = (await load('result-keys.mjs')) as ResultKeys;
const { testInputs } = (await load('test-inputs.mjs')) as {
  readonly testInputs: () => { readonly foldersOf: (tests: readonly string[]) => Predicate };
};
const { controlPlaneInputs } = (await load('control-plane-inputs.mjs')) as {
  readonly controlPlaneInputs: (
    folders: readonly string[],
  ) => Promise<(files: readonly string[]) => { readonly isInput: Predicate; readonly values: readonly unknown[] }>;
};

const { foldersOf } = testInputs();
const hashes = sourceHashes(root);
const machine = machineValues();

/** Returns those of `paths` whose change changes the key of the results of `test`. */
function inputsAmong(
  test: string,
  paths: readonly string[],
  inputs: { readonly isInput: Predicate } = { isInput: foldersOf([test]) },
): readonly string[] {
  const keyOf = (changed: string): string =>
    resultKeys(new Map([...hashes, [changed, 'changed']]), machine)({ name: 'all', files: [test], ...inputs });
  const key = resultKeys(hashes, machine)({ name: 'all', files: [test], ...inputs });
  for (const path of paths) assert.ok(hashes.has(path), `${path} does not exist`);
  return paths.filter((path) => keyOf(path) !== key);
}

const ofAll = [
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'test/tsconfig.json',
  'scripts/run-tests.mjs',
];
const ofNone = ['LICENSE', 'CHANGELOG.md', '.ci/run', 'scripts/help.mjs', 'docs/decisions/0001-legacy-decorators.md'];
const cases: Readonly<Record<string, { readonly inputs: readonly string[]; readonly others: readonly string[] }>> = {
  'test/fuzz/fuzz.test.ts': {
    inputs: [
      'test/fuzz/fuzz.test.ts',
      'test/fuzz/corpus.jsonl',
      'packages/apiserver/src/handlers/in-turns.ts',
      'packages/apiserver/data/kubernetes-1.36.3/schemas.json',
      'packages/api/package.json',
    ],
    others: ['packages/cli/src/bin.ts', 'create-operator/package.json', 'examples/foo/package.json', 'docs/pages.md'],
  },
  'packages/runtime/src/cache/reflector/huge-list.long.test.ts': {
    inputs: ['packages/runtime/src/manager/manager.ts', 'packages/api/src/quantity/parse.ts'],
    others: ['packages/runtime/src/manager/settings/settings.test.ts', 'packages/apiserver/package.json'],
  },
  'test/command-line/deploy.long.test.ts': {
    inputs: ['packages/cli/bin/kubewright.mjs', 'create-operator/package.json', 'test/command-line/fixture-project.ts'],
    others: ['examples/foo/package.json', 'docs/pages.md', 'test/command-line/diff.test.ts'],
  },
  'test/chaos/chaos.test.ts': {
    inputs: ['examples/database/package.json', 'packages/testing/src/fake-clock.ts', 'test/server/leftovers.ts'],
    others: ['docs/pages.md', 'test/fuzz/corpus.jsonl'],
  },
  'test/explore/bugs.long.test.ts': {
    inputs: ['test/explore/bugs/bug.ts', 'packages/testing/src/fake-clock.ts'],
    others: ['docs/pages.md', 'test/fuzz/corpus.jsonl'],
  },
  'test/scaffold/matrix/matrix.test.ts': {
    inputs: [
      'test/scaffold/goldens/cluster/src/controllers/dns-zone-controller.test.ts',
      'docs/pages.md',
      'scripts/create.mjs',
    ],
    others: ['test/fuzz/corpus.jsonl'],
  },
};

for (const [path, { inputs, others }] of Object.entries(cases)) {
  test(`the key of ${path} contains its inputs, and the files that every test depends on`, () => {
    const expected = [...inputs, ...ofAll];
    const candidates = path.startsWith('test/scaffold/') ? expected : [...expected, ...ofNone];
    assert.deepEqual(inputsAmong(path, [...candidates, ...others]), expected);
  });
}

test('the results of contract tests on a control plane depend on the tests, and not on the packages under test', async () => {
  const ofControlPlane = await controlPlaneInputs([]);
  const path = 'test/contract/listing.test.ts';
  const expected = ['test/contract/answers/listing.json', 'test/server/start-environment.ts', ...ofAll];
  const others = ['packages/apiserver/src/handlers/in-turns.ts', 'packages/api/src/quantity/parse.ts', ...ofNone];
  assert.deepEqual(inputsAmong(path, [...expected, ...others], ofControlPlane([path])), expected);
  const conformance = 'test/conformance/manager.test.ts';
  assert.deepEqual(inputsAmong(conformance, others, ofControlPlane([conformance])), others.slice(0, 2));
});

test('the key of the tests of kubectl on a control plane contains the definitions that they install', async () => {
  const ofControlPlane = await controlPlaneInputs([]);
  const { values } = ofControlPlane(['test/kubectl/kubectl.test.ts']);
  assert.match(String(values), /VirtualMachine/);
});

test('the key depends on the name of the run, the test files, the values, the machine and each input', () => {
  const sources = new Map([
    ['a', '1'],
    ['b', '1'],
  ]);
  const tests = { name: 'all', files: ['x.test.ts'], isInput: (path: string) => path === 'a', values: ['v1.36.3'] };
  const keys = [
    resultKeys(sources, 'linux')(tests),
    resultKeys(new Map([...sources, ['b', '2']]), 'linux')(tests),
    resultKeys(new Map([...sources, ['a', '2']]), 'linux')(tests),
    resultKeys(new Map([['b', '1']]), 'linux')(tests),
    resultKeys(sources, 'darwin')(tests),
    resultKeys(sources, 'linux')({ ...tests, name: 'control-plane' }),
    resultKeys(sources, 'linux')({ ...tests, files: ['x.test.ts', 'y.test.ts'] }),
    resultKeys(sources, 'linux')({ ...tests, values: ['v1.37.0'] }),
    resultKeys(sources, 'linux')({ ...tests, isInput: () => true }),
  ];
  assert.equal(keys[0], keys[1]);
  assert.equal(new Set(keys).size, keys.length - 1);
});

test('sourceHashes contains each source with its content and its mode, and no outputs', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-sources-'));
  t.after(() => rm(folder, { recursive: true }));
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const outputs = ['dist/a.js', 'src/node_modules/b/index.js', '.git/HEAD', '.test-results/all.json', 'a.tsbuildinfo'];
  for (const path of ['src/a.ts', 'src/.hidden/b.txt', ...outputs]) await write(path, 'text');
  await symlink('src/a.ts', join(folder, 'link'));
  const first = sourceHashes(folder);
  assert.deepEqual([...first.keys()], ['link', 'src/.hidden/b.txt', 'src/a.ts']);
  assert.equal(new Set(first.values()).size, 2);

  await write('src/a.ts', 'other text');
  await chmod(join(folder, 'src/.hidden/b.txt'), 0o755);
  await rm(join(folder, 'link'));
  await symlink('src', join(folder, 'link'));
  const second = sourceHashes(folder);
  assert.deepEqual(
    [...second].filter(([path, hash]) => first.get(path) === hash),
    [],
  );
});

test('machineValues returns the same values in each call, including the version of Node.js', () => {
  assert.deepEqual(machineValues(), machine);
  assert.ok(machine.includes(process.versions.node));
});

test('machineValues depends on the variables that tests read, and not on the paths of outputs', () => {
  const plain = machineValues({});
  for (const name of ['KUBEWRIGHT_SEED', 'KUBEBUILDER_ASSETS', 'KUBECONFIG', 'TZ'])
    assert.notDeepEqual(machineValues({ [name]: '1' }), plain, name);
  for (const name of ['KUBEWRIGHT_RESULTS_CACHE', 'KUBEWRIGHT_RERUN', 'HOME'])
    assert.deepEqual(machineValues({ [name]: '1' }), plain, name);
});

test('programsOnPath changes if a program is added or has another version, but not with the packages of a clone', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-programs-'));
  t.after(() => rm(folder, { recursive: true }));
  const programs = join(folder, 'programs');
  const packages = join(folder, 'node_modules', '.bin');
  for (const each of [programs, packages]) await mkdir(each, { recursive: true });
  const versions = async (kubectl: string): Promise<readonly unknown[]> => {
    await writeFile(join(programs, 'kubectl'), kubectl);
    return programsOnPath([packages, programs, join(folder, 'missing')].join(delimiter));
  };
  assert.deepEqual(programsOnPath(programs), []);
  const first = await versions('v1.36.3');
  await writeFile(join(packages, 'tsc'), 'v7');
  assert.deepEqual(programsOnPath([packages, programs].join(delimiter)), first);
  assert.notDeepEqual(await versions('v1.36.30'), first);
});
