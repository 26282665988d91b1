import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The exports of scripts/run-tests.mjs that this file tests. */
interface Runner {
  testFiles(desired: (path: string) => boolean): readonly string[];
  inProcesses(paths: readonly string[]): readonly (readonly string[])[];
}
/** A result in the record of scripts/results-reporter.mjs. */
interface TestResult {
  readonly file: string;
  readonly name: string;
  readonly outcome: string;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** The exports of scripts/longest-tests.mjs. */
interface LongestTests {
  readonly longestOfAll: readonly string[];
  readonly longestOnControlPlane: readonly string[];
  readonly longestOfEmbedded: readonly string[];
  longestFirst(processes: readonly (readonly string[])[], longest: readonly string[]): readonly (readonly string[])[];
}
const script = (name: string): string => join(root, 'scripts', name);
const runner = (await import(pathToFileURL(script('run-tests.mjs')).href)) as Runner;

const files = runner.testFiles(() => true);
const processes = runner.inProcesses(files);
const processOf = (path: string): readonly string[] =>
  processes.find((each) => each.includes(join(...path.split('/')))) ?? [];

test('each test file runs in exactly one process', () => {
  assert.deepEqual(processes.flat().toSorted(), [...files].toSorted());
  assert.ok(processes.length < files.length / 4);
});

test('a test file that changes the environment variables or measures time has its own process', () => {
  assert.equal(processOf('packages/runtime/src/manager/settings/settings.test.ts').length, 1);
  assert.equal(processOf('packages/apiserver/src/handlers/in-turns.test.ts').length, 1);
});

test('test files that read environment variables share a process, and some files with hooks share another process', () => {
  assert.ok(processOf('packages/runtime/src/transport/credentials/exec-credentials.test.ts').length > 1);
  const hooked = processOf('test/conformance/manager.test.ts');
  assert.ok(hooked.length > 1);
  assert.ok(!hooked.includes(join('test', 'conformance', 'one-store.test.ts')));
});

test('the processes with the longest test files start first, then those with several files, and every other process still runs once', async () => {
  const tests = (await import(pathToFileURL(script('longest-tests.mjs')).href)) as LongestTests;
  for (const longest of [tests.longestOfEmbedded, tests.longestOfAll, tests.longestOnControlPlane]) {
    const ordered = tests.longestFirst(processes, longest);
    // Several of these test files can share a process.
    const first = new Set(longest.map((name) => processOf(`test/${name}.test.ts`)));
    assert.deepEqual(ordered.slice(0, first.size), [...first]);
    const sizes = ordered.slice(first.size).map((each) => each.length > 1);
    assert.deepEqual(
      sizes,
      sizes.toSorted((a, b) => Number(b) - Number(a)),
    );
    assert.deepEqual(new Set(ordered), new Set(processes));
    assert.equal(ordered.length, processes.length);
  }
  assert.deepEqual(tests.longestFirst([['a'], ['b', 'c']], tests.longestOfAll), [['b', 'c'], ['a']]);
});

/** Runs `sources` in one process, as `npm test` does. Returns the results of the tests, sorted by file. */
async function resultsOf(sources: Readonly<Record<string, string>>): Promise<readonly TestResult[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'kubewright-gate-')));
  try {
    for (const [language, ending] of [
      ['src', 'ts'],
      ['dist', 'js'],
    ] as const) {
      await mkdir(join(folder, language));
      for (const [name, source] of Object.entries(sources)) {
        await writeFile(
          join(folder, language, `${name}.test.${ending}`),
          `import { before, test } from 'node:test';\n${source}`,
        );
      }
    }
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await mkdir(join(folder, 'results'));
    const paths = Object.keys(sources).map((name) => relative(root, join(folder, 'src', `${name}.test.ts`)));
    const load = `import { loadingProgram } from ${JSON.stringify(pathToFileURL(script('run-tests.mjs')).href)};
      console.log(loadingProgram(${JSON.stringify(paths)}, 'several'));`;
    const program = await outputOf(['--input-type=module', '--eval', load], {
      KUBEWRIGHT_TEST_RESULTS: join(folder, 'results'),
    });
    const reporter = [`--test-reporter=${script('results-reporter.mjs')}`, '--test-reporter-destination'];
    await outputOf(['--test', ...reporter, join(folder, 'record.json'), program.trim()]);
    const { tests } = JSON.parse(await readFile(join(folder, 'record.json'), 'utf8')) as {
      readonly tests: readonly TestResult[];
    };
    return tests.map(({ file, name, outcome }) => ({ file: relative(folder, join(root, file)), name, outcome }));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function outputOf(args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env: { ...env, ...more } }, (_error, stdout) => resolve(stdout));
  });
}

test('hooks of a file in a shared process run only before the tests of this file', async () => {
  const order = 'globalThis.order = [...(globalThis.order ?? []), ';
  const check = (expected: readonly string[]): string =>
    `if (String(globalThis.order) !== ${JSON.stringify(String(expected))}) throw new Error(String(globalThis.order));`;
  const passed = await resultsOf({
    a: `${order}'load a'];\nbefore(() => { ${order}'before a']; });\ntest('a1', () => { ${check(['load a', 'before a'])} });\n`,
    b: `await 0;\n${order}'load b'];\ntest('b1', () => { ${check(['load a', 'before a', 'load b'])} });\n`,
  });
  assert.deepEqual(passed, [
    { file: join('dist', 'a.test.js'), name: 'a1', outcome: 'passed' },
    { file: join('dist', 'b.test.js'), name: 'b1', outcome: 'passed' },
  ]);
});

test('a hook that fails, or a file that does not load, fails only the tests of its file', async () => {
  const results = await resultsOf({
    a: "before(() => { throw new Error('no'); });\ntest('a1', () => {});\n",
    b: "await 0;\ntest('b1', () => {});\nthrow new Error('does not load');\n",
    c: "test('c1', () => {});\n",
  });
  const failed = results.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name);
  assert.deepEqual(
    failed.filter((name) => !name.includes('.test.ts')),
    ['a1', 'b1'],
  );
  assert.deepEqual(
    failed.filter((name) => name.includes('.test.ts')).map((name) => name.slice(-'a.test.ts'.length)),
    ['a.test.ts', 'b.test.ts'],
  );
  assert.deepEqual(
    results.filter(({ outcome }) => outcome === 'passed').map(({ name }) => name),
    ['c1'],
  );
});
