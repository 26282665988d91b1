import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
interface Runner {
  limitFlags(limitMs: number): readonly string[];
  nameFlags(names: readonly string[]): readonly string[];
}

interface PartTimes {
  readonly USUAL_SECONDS: Readonly<Record<string, number>>;
  readonly partTimes: (
    text: string,
    options?: {
      readonly usualSeconds?: Readonly<Record<string, number>>;
      readonly taken?: Readonly<Record<string, number>>;
    },
  ) => { readonly lines: readonly string[]; readonly exceeded: readonly string[] };
}

/** A result in a record of a test run. */
interface TestResult {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly outcome: string;
}

/** The record of a test run. */
interface TestRecord {
  readonly tests: readonly TestResult[];
  readonly suites: readonly Omit<TestResult, 'outcome'>[];
}

/** The exports of scripts/test-results.mjs. */
interface TestResults {
  readonly combined: (first: TestRecord, repeated: TestRecord) => readonly TestResult[];
  readonly namesOfSkips: (record: TestRecord) => readonly string[];
}

const LONGEST_S = 90 * 60;
const runner = (await import(pathToFileURL(join(root, 'scripts', 'run-tests.mjs')).href)) as Runner;

/** Writes the records of a test run to files, runs a script on the files, and returns its output lines and its exit code. */
async function reported(script: string, records: Readonly<Record<string, unknown>>) {
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-gate-'));
  try {
    for (const [name, record] of Object.entries(records)) {
      const file = name.includes('.') ? name : `${name}.json`;
      await writeFile(join(folder, file), typeof record === 'string' ? record : JSON.stringify(record));
    }
    return await runNode([join(root, 'scripts', script)], { KUBEWRIGHT_TEST_RESULTS: folder });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function runNode(args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  return new Promise<{ readonly lines: readonly string[]; readonly exitCode: number | string | null }>((resolve) => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    execFile(process.execPath, args, { env: { ...env, ...more } }, (error, stdout, stderr) => {
      const lines = `${stdout}${stderr}`.trimEnd().split('\n');
      resolve({ lines, exitCode: error === null ? 0 : (error.code ?? null) });
    });
  });
}

/** Returns the record of a test file that contains one test for each outcome. */
function recordOf(file: string, ...outcomes: readonly string[]) {
  const tests = outcomes.map((outcome, line) => ({
    file,
    line,
    name: `[RC-01] converges ${line}`,
    outcome,
    ...(outcome === 'skipped' && { reason: 'kubectl is not installed' }),
  }));
  return { files: [file], tests };
}
const others = {
  all: { files: [], tests: [] },
  'control-plane': recordOf('c.test.ts', 'passed'),
  scaffold: { counts: { passed: 3, failed: 0, skipped: 1 }, skipped: ['bun is not installed'] },
  check: { counts: { passed: 6, failed: 0 } },
};

test('the summary lists the skipped tests with reasons, and then the total of all parts of the gate', async () => {
  const summary = await reported('ci-summary.mjs', {
    conformance: recordOf('a.test.ts', 'passed', 'passed', 'skipped'),
    skipped: { files: [], tests: [] },
    ...others,
    all: recordOf('d.test.ts', 'passed'),
  });
  assert.deepEqual(summary, {
    lines: [
      'skipped: 1 in a.test.ts: kubectl is not installed',
      'skipped: in scaffold: bun is not installed',
      '13 passed, 0 failed, 2 skipped',
    ],
    exitCode: 0,
  });
});

test('the summary repeats the failed tests and checks with their errors before the total', async () => {
  const error = Array.from({ length: 30 }, (_, at) => `error line ${at}`).join('\n');
  const failing = recordOf('d.test.ts', 'failed');
  const { lines, exitCode } = await reported('ci-summary.mjs', {
    conformance: recordOf('a.test.ts', 'skipped'),
    skipped: { files: [], tests: [] },
    ...others,
    all: { ...failing, tests: failing.tests.map((each) => ({ ...each, error })) },
    check: { counts: { passed: 5, failed: 1 }, failures: [{ name: 'lint', output: error }] },
  });
  assert.deepEqual(
    lines.filter((line) => !/error line (?!(0|1|19|29)$)/.test(line)),
    [
      'skipped: 1 in a.test.ts: kubectl is not installed',
      'skipped: in scaffold: bun is not installed',
      'failed: d.test.ts:0: [RC-01] converges 0',
      '  error line 0',
      '  error line 1',
      '  error line 19',
      'failed: check: lint',
      '  error line 0',
      '  error line 19',
      '  error line 29',
      '9 passed, 2 failed, 2 skipped',
    ],
  );
  assert.equal(exitCode, 1);
});

test('the record of a run contains the errors of the failed tests', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-gate-'));
  try {
    const program = join(folder, 'a.test.mjs');
    const body =
      "import { test } from 'node:test'; test('fails', () => { throw new Error('the object is missing'); });";
    await writeFile(program, body);
    const record = join(folder, 'record.json');
    const reporter = pathToFileURL(join(root, 'scripts', 'results-reporter.mjs')).href;
    await runNode(['--test', `--test-reporter=${reporter}`, `--test-reporter-destination=${record}`, program]);
    const { tests } = JSON.parse(await readFile(record, 'utf8')) as {
      readonly tests: readonly { readonly error: string }[];
    };
    assert.match(tests[0]?.error ?? '', /^Error: the object is missing\n +at /);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the summary counts a repeated test once, with the result of the second run', async () => {
  const first = recordOf('a.test.ts', 'skipped', 'passed');
  const other = recordOf('b.test.ts', 'passed', 'passed');
  const conformance = { files: [...first.files, ...other.files], tests: [...first.tests, ...other.tests] };
  const passes = await reported('ci-summary.mjs', { conformance, skipped: recordOf('a.test.ts', 'passed'), ...others });
  assert.equal(passes.lines.at(-1), '14 passed, 0 failed, 1 skipped');
  const fails = await reported('ci-summary.mjs', { conformance, skipped: recordOf('a.test.ts', 'failed'), ...others });
  assert.deepEqual([fails.lines.at(-1), fails.exitCode], ['13 passed, 1 failed, 1 skipped', 1]);
  const none = await reported('ci-summary.mjs', {
    conformance,
    skipped: { files: ['a.test.ts'], tests: [] },
    ...others,
  });
  assert.equal(none.lines.at(-1), '13 passed, 0 failed, 2 skipped');
});

test('the summary counts the tests of a skipped suite that ran in the second run', async () => {
  const conformance = recordOf('a.test.ts', 'skipped', 'passed');
  const [suite] = conformance.tests;
  const { tests } = recordOf('helper.ts', 'passed', 'passed', 'passed');
  const skipped = { files: ['a.test.ts'], tests, suites: [suite] };
  assert.equal(
    (await reported('ci-summary.mjs', { conformance, skipped, ...others })).lines.at(-1),
    '14 passed, 0 failed, 1 skipped',
  );
});

test('a second run runs only the skipped tests and suites, and replaces their results', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'kubewright-gate-')));
  const { combined, namesOfSkips } = (await import(
    pathToFileURL(join(root, 'scripts', 'test-results.mjs')).href
  )) as TestResults;
  const program = join(folder, 'a.test.mjs');
  const run = async (names: readonly string[], env: NodeJS.ProcessEnv): Promise<TestRecord> => {
    const record = join(folder, 'record.json');
    const reporter = [
      `--test-reporter=${join(root, 'scripts', 'results-reporter.mjs')}`,
      '--test-reporter-destination',
    ];
    await runNode([...runner.nameFlags(names), '--test', ...reporter, record, program], env);
    return JSON.parse(await readFile(record, 'utf8')) as TestRecord;
  };
  try {
    await writeFile(
      program,
      `import { describe, test } from 'node:test';
      const hasProgram = process.env.KUBEWRIGHT_X === 'program';
      const skip = !hasProgram && 'no program';
      test('runs $& (a program)', { skip }, () => {});
      test('runs $& (a program) twice', () => { if (hasProgram) throw new Error('ran again'); });
      describe('commands of a program', { skip }, () => {
        describe('version 1', () => { test('a', () => {}); test('b', () => { throw new Error('b'); }); });
      });
      test('skips itself', (t) => { t.skip('never'); });`,
    );
    const first = await run([], {});
    const names = namesOfSkips(first);
    assert.deepEqual(names, ['runs $& (a program)', 'commands of a program', 'skips itself']);
    const outcomes = (tests: readonly TestResult[]): unknown =>
      Object.fromEntries(tests.map(({ name, outcome }) => [name, outcome]));
    const repeated = await run(names, { KUBEWRIGHT_X: 'program' });
    const expected = { 'runs $& (a program)': 'passed', a: 'passed', b: 'failed', 'skips itself': 'skipped' };
    assert.deepEqual(outcomes(repeated.tests), expected);
    const all = combined(first, repeated);
    assert.equal(all.length, 5);
    assert.deepEqual(outcomes(all), { 'runs $& (a program) twice': 'passed', ...expected });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the summary lists each part of the gate that did not finish, and counts each as one failure in the total', async () => {
  const { lines, exitCode } = await reported('ci-summary.mjs', {
    conformance: '',
    scaffold: { counts: { passed: 3, failed: 0, skipped: 0 } },
    check: { counts: { passed: 5, failed: 1 } },
  });
  assert.equal(exitCode, 1);
  assert.deepEqual(lines, [
    'failed: conformance: no results are recorded, so the run did not finish',
    'failed: all: no results are recorded, so the run did not finish',
    'failed: control-plane: no results are recorded, so the run did not finish',
    '8 passed, 4 failed, 0 skipped',
  ]);
});

test('the summary fails if the run did not repeat the skipped tests', async () => {
  const { lines, exitCode } = await reported('ci-summary.mjs', {
    conformance: recordOf('a.test.ts', 'passed'),
    ...others,
  });
  assert.equal(exitCode, 1);
  assert.deepEqual(lines.slice(-2), [
    'failed: skipped: no results are recorded, so the run did not finish',
    '11 passed, 1 failed, 1 skipped',
  ]);
});

test('an interrupted test run leaves no record, and npm run conformance reports this in one line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-gate-'));
  const results = pathToFileURL(join(root, 'scripts', 'test-results.mjs')).href;
  const interrupted = `import { writeFileSync } from 'node:fs';
    import { recordRun } from '${results}';
    recordRun('conformance', [], (path) => {
      writeFileSync(path, '');
      process.kill(process.pid, 'SIGKILL');
    });`;
  try {
    const env = { KUBEWRIGHT_TEST_RESULTS: folder };
    await runNode(['--input-type=module', '--eval', interrupted], env);
    const expected = {
      lines: ['no complete test run is recorded; run npm test first, and wait until it ends'],
      exitCode: 1,
    };
    assert.deepEqual(await runNode([join(root, 'scripts', 'conformance.mjs')], env), expected);
    assert.deepEqual(await reported('conformance.mjs', { conformance: '' }), expected);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('npm run conformance counts a case that passed only when its test file was repeated', async () => {
  const first = await reported('conformance.mjs', { conformance: recordOf('a.test.ts', 'passed', 'skipped') });
  assert.match(first.lines[1] ?? '', /^Reconcile loop +0 \//);
  const { lines, exitCode } = await reported('conformance.mjs', {
    conformance: recordOf('a.test.ts', 'passed', 'skipped'),
    skipped: recordOf('a.test.ts', 'passed', 'passed'),
  });
  assert.equal(exitCode, 0);
  assert.match(lines[1] ?? '', /^Reconcile loop +1 \//);
});

test('a fresh environment has only Node.js, npm and new folders with a space in their path', async () => {
  const script = `const { PATH, HOME, TMPDIR } = process.env;
    const names = require('node:fs').readdirSync(PATH).filter((name) => /^(node|npm|git|go|kubectl|bash|docker)$/.test(name));
    console.log(JSON.stringify([names.toSorted(), [HOME, TMPDIR].every((path) => path.includes(' ')), process.env.KUBEWRIGHT_X]));`;
  const command = [join(root, 'scripts', 'fresh-environment.mjs'), 'node', '--eval', script];
  const { lines, exitCode } = await runNode(command, { KUBEWRIGHT_X: 'kept' });
  assert.deepEqual([exitCode, JSON.parse(lines[0] ?? '')], [0, [['node', 'npm'], true, null]]);
});

test('every user can access the temporary folder of a fresh environment', async () => {
  const script = `const { statSync } = require('node:fs'), { dirname } = require('node:path'), { TMPDIR } = process.env;
    console.log([TMPDIR, dirname(TMPDIR)].every((path) => (statSync(path).mode & 0o001) !== 0));`;
  const { lines } = await runNode([join(root, 'scripts', 'fresh-environment.mjs'), 'node', '--eval', script]);
  assert.deepEqual(lines.slice(0, 1), ['true']);
});

test('a fresh environment returns the exit code of its command', async () => {
  const command = [join(root, 'scripts', 'fresh-environment.mjs'), 'node', '--eval', 'process.exit(7)'];
  assert.equal((await runNode(command)).exitCode, 7);
});

test('the summary prints the times of each part of the gate, and lists the longest part first', async () => {
  const { lines, exitCode } = await reported('ci-summary.mjs', {
    conformance: recordOf('a.test.ts', 'passed'),
    skipped: { files: [], tests: [] },
    ...others,
    'parts.txt': '12 0m1.500s 0m0.500s npm run conformance\n240 6m1.000s 0m59.000s node a.mjs\n',
  });
  assert.deepEqual(lines.slice(0, 2), [
    `  240 s    420 s of CPU  ${' '.repeat(17)}  node a.mjs`,
    `   12 s      2 s of CPU  ${' '.repeat(17)}  npm run conformance`,
  ]);
  assert.equal(exitCode, 0);
});

test('a part of the gate fails if it takes more than twice its usual share of the processor time, on a machine of any speed', async () => {
  const { partTimes, USUAL_SECONDS } = (await import(
    pathToFileURL(join(root, 'scripts', 'part-times.mjs')).href
  )) as PartTimes;
  const usual = { a: 100, b: 60, c: 30, d: 400 };
  const textOf = (seconds: Readonly<Record<string, number>>): string =>
    Object.entries(seconds)
      .map(([command, each]) => `1 ${Math.floor(each / 60)}m${each % 60}.000s 0m0.000s ${command}\n`)
      .join('');
  const slow = { a: 500, b: 300, c: 150, d: 2000 };
  const exceededOf = (seconds: Readonly<Record<string, number>>, taken = {}): readonly string[] =>
    partTimes(textOf(seconds), { usualSeconds: usual, taken }).exceeded;
  assert.deepEqual(exceededOf(slow), []);
  assert.deepEqual(exceededOf({ ...slow, c: 299, short: 900 }), []);
  const exceeded = exceededOf({ ...slow, c: 303 });
  assert.equal(exceeded.length, 1);
  assert.match(exceeded[0] ?? '', /^c takes 2\.0 times its usual share of the processor time: /);
  assert.equal(exceededOf({ ...slow, d: 4100 }).length, 1);

  // Three quarters of the tests of one part, and all tests of another part, are from earlier runs.
  const warm = { ...slow, c: 1, d: 500 };
  assert.deepEqual(exceededOf(warm, { c: 1, d: 0.75 }), []);
  assert.equal(exceededOf({ ...warm, d: 1100 }, { c: 1, d: 0.75 }).length, 1);

  // Each command with a usual time must be a part of the gate.
  const gate = await readFile(join(root, '.ci', 'run'), 'utf8');
  for (const command of Object.keys(USUAL_SECONDS)) assert.ok(gate.includes(` ${command}`), command);
  assert.ok(Object.keys(USUAL_SECONDS).length >= 5);
});

test('every part of the gate has a time limit, and the gate ends within 90 minutes', async () => {
  const lines = (await readFile(join(root, '.ci', 'run'), 'utf8')).split('\n');
  const isPart = (line: string): boolean => /\b(npm|node) /.test(line) && !line.startsWith('#');
  const limitOf = (line: string): number => {
    const limit = /^ *(?:part|timeout --kill-after=20) (\d+) /.exec(line)?.[1];
    assert.ok(limit !== undefined, `without a limit: ${line}`);
    return Number(limit) + 20;
  };
  assert.equal(lines.filter(isPart).length, 11);
  let [total, group, beside] = [0, 0, 0];
  for (const line of lines) {
    // The indented steps of a group run one after the other, at the same time as the other groups and the next step.
    if (line === '(') group = 0;
    else if (!isPart(line)) continue;
    else if (line.startsWith(' ')) {
      group += limitOf(line);
      beside = Math.max(beside, group);
    } else {
      total += Math.max(limitOf(line), beside);
      beside = 0;
    }
  }
  assert.equal(beside, 0);
  assert.ok(total < LONGEST_S, `${total} s`);
});

test('the gate repeats skipped tests after all tests in a fresh environment, and needs the control plane only after its build', async () => {
  const text = await readFile(join(root, '.ci', 'run'), 'utf8');
  const placeOf = (part: string): number => {
    assert.ok(text.includes(part), part);
    return text.indexOf(part);
  };
  for (const [first, second] of [
    ['fresh-environment.mjs npm test', 'fresh-environment.mjs npm run test:all'],
    ['fresh-environment.mjs npm run test:all', 'npm test -- --skipped'],
    ['build:control-plane', 'test:scaffold'],
    ['build:control-plane', 'npm test -- --skipped'],
    ['build:control-plane', 'test:control-plane'],
    ['build:control-plane', 'build:operators'],
    ['build:operators', 'test:control-plane'],
  ] as const) {
    assert.ok(placeOf(first) < placeOf(second), `${first} precedes ${second}`);
  }
});

/** Runs the test file `started` with a time limit in milliseconds. Returns the report on killed files, or '' if no file was killed. */
async function killedFiles(
  limitMs: number,
  sources: Readonly<Record<string, string>>,
  started: string,
): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'kubewright-gate-')));
  try {
    await mkdir(join(folder, '.test-results'));
    for (const [path, source] of Object.entries(sources)) await writeFile(join(folder, path), source);
    const reporter = `--test-reporter=${join(root, 'scripts', 'cut-tests-reporter.mjs')}`;
    const flags = [...runner.limitFlags(limitMs), '--test', reporter, '--test-reporter-destination=stdout'];
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    return await new Promise<string>((resolve) => {
      execFile(process.execPath, [...flags, join(folder, started)], { env }, (_error, stdout) => resolve(stdout));
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

const testImport = "import { test } from 'node:test';\n";

test('the reporter lists the unfinished tests of a file that makes no progress and is killed at its time limit', async () => {
  const report = await killedFiles(
    2000,
    {
      '.test-results/several.test.mjs': 'import "../two.test.mjs";\n',
      'two.test.mjs': `${testImport}test('ends', () => {});\ntest('hangs', () => new Promise((r) => setTimeout(r, 1e6)));\n`,
    },
    '.test-results/several.test.mjs',
  );
  assert.match(
    report,
    /several\.test\.mjs was killed at its time limit; the following tests had not finished:\n {2}hangs \(.*two\.test\.mjs:3\)\n/,
  );
});

test('a file may run for longer than its time limit while its tests make progress', async () => {
  const source = `${testImport}for (let n = 0; n < 12; n++) test(String(n), () => new Promise((r) => setTimeout(r, 400)));\n`;
  const start = performance.now();
  assert.equal(await killedFiles(4000, { 'long.test.mjs': source }, 'long.test.mjs'), '');
  assert.ok(performance.now() - start > 4000);
});
