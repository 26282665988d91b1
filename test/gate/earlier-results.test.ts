import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

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

/**
 * Writes test files, and runs each of them in its own process, as npm run test:all does. Each run of a test writes its name to a file. `value`
 * is an input of all tests. Returns the names of the tests that ran, the record, and the output.
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
    const runTests = `import { runTests } from ${JSON.stringify(pathToFileURL(join(root, 'scripts', 'run-tests.mjs')).href)};
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
