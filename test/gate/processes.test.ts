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

/** The record of a run of tests. */
interface TestRecord {
  readonly tests: readonly { readonly file: string; readonly name: string; readonly outcome: string }[];
  readonly earlier?: {
    readonly groups: number;
    readonly tests: number;
    readonly oldest: number;
    readonly share: number;
  };
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

/**
 * Writes test files, and runs each of them in its own process, as npm run test:all does. Each run of a test writes its name to a file.
 * `value` is an input of all tests. Returns the names of the tests that ran, the record, and the output.
 */
class TestRuns implements AsyncDisposable {
  readonly #folder: string;
  readonly #names: readonly string[];

  private constructor(folder: string, names: readonly string[]) {
    this.#folder = folder;
    this.#names = names;
  }

  static async create(sources: Readonly<Record<string, string>>): Promise<TestRuns> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'kubewright-runs-')));
    for (const each of ['src', 'dist', 'results', 'cache']) await mkdir(join(folder, each));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    const log = JSON.stringify(join(folder, 'ran'));
    const head = `import { appendFileSync } from 'node:fs';\nimport { test } from 'node:test';\nconst ran = (name) => appendFileSync(${log}, name + ' ');\n`;
    for (const [name, source] of Object.entries(sources)) {
      await writeFile(join(folder, 'src', `${name}.test.ts`), '');
      await writeFile(join(folder, 'dist', `${name}.test.js`), head + source);
    }
    return new TestRuns(folder, Object.keys(sources));
  }

  async run(value: string, environment: NodeJS.ProcessEnv = {}) {
    const ran = join(this.#folder, 'ran');
    await writeFile(ran, '');
    const paths = this.#names.map((name) => relative(root, join(this.#folder, 'src', `${name}.test.ts`)));
    const runTests = `import { runTests } from ${JSON.stringify(pathToFileURL(script('run-tests.mjs')).href)};
      const inputsOf = () => ({ isInput: () => false, values: [${JSON.stringify(value)}] });
      process.exitCode = runTests(${JSON.stringify(paths)}, { results: 'all', longest: [], inputsOf });`;
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const output = await new Promise<string>((resolve) => {
      execFile(
        process.execPath,
        ['--input-type=module', '--eval', runTests],
        {
          env: {
            ...env,
            KUBEWRIGHT_TEST_RESULTS: join(this.#folder, 'results'),
            KUBEWRIGHT_RESULTS_CACHE: join(this.#folder, 'cache'),
            ...environment,
          },
        },
        (error, stdout, stderr) => resolve(`exit code ${error === null ? 0 : error.code}\n${stdout}${stderr}`),
      );
    });
    return {
      ran: (await readFile(ran, 'utf8')).trim().split(' ').toSorted(),
      record: JSON.parse(await readFile(join(this.#folder, 'results', 'all.json'), 'utf8')) as TestRecord,
      output,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }
}

test('a run takes the results of the processes that passed before with the same inputs, and runs all others', async () => {
  await using runs = await TestRuns.create({
    fails:
      "test('passes beside', () => ran('beside'));\ntest('fails', () => { ran('fails'); throw new Error('no'); });",
    exits: "test('passes first', () => { ran('exits'); process.exitCode = 3; });",
    ends: "test('is killed', () => { ran('killed'); process.kill(process.pid, 'SIGKILL'); });",
    passes: "test('passes', () => ran('passes'));\ntest('is skipped', { skip: 'no kubectl' }, () => {});",
  });
  const all = ['beside', 'exits', 'fails', 'killed', 'passes'];
  const outcomes = ({ tests }: TestRecord): unknown =>
    tests.map(({ name, outcome }) => `${name.slice(name.lastIndexOf('/') + 1)} ${outcome}`).toSorted();

  const first = await runs.run('1');
  assert.deepEqual([first.ran, first.record.earlier], [all, undefined], first.output);
  const start = Date.now();
  const second = await runs.run('1');
  assert.deepEqual(second.ran, ['beside', 'exits', 'fails', 'killed'], second.output);
  assert.deepEqual(outcomes(second.record), outcomes(first.record));
  const { groups, tests, oldest, share } = second.record.earlier ?? assert.fail(second.output);
  assert.deepEqual([groups, tests], [1, 2]);
  assert.ok(oldest <= start && oldest > start - 3_600_000);
  assert.ok(share > 0 && share < 1);
  assert.match(second.output, /^exit code 1$/m);
  assert.match(second.output, /^all: 2 tests in 1 group passed before with the same sources, the oldest at 20\d\d-/m);
  assert.match(second.output, /^skipped: 1 in .*: no kubectl$/m);
  assert.deepEqual((await runs.run('2')).ran, all);
  assert.deepEqual((await runs.run('1', { KUBEWRIGHT_RERUN: '1' })).ran, all);
});

test('a run in which no process has to run takes all results, and a process that fails later runs again', async () => {
  await using runs = await TestRuns.create({
    a: "test('a', () => { ran('a'); if (process.env.FAILS_AT_TIMES) throw new Error('rare'); });",
  });
  await runs.run('1');
  const { ran, record, output } = await runs.run('1');
  assert.deepEqual([ran, record.tests.length, record.earlier?.share], [[''], 1, 1]);
  assert.match(output, /^exit code 0$/m);
  const failed = await runs.run('1', { FAILS_AT_TIMES: '1', KUBEWRIGHT_RERUN: '1' });
  assert.match(failed.output, /^exit code 1$/m);
  assert.deepEqual((await runs.run('1')).ran, ['a']);
});
