import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const LONGEST_S = 90 * 60;

interface Runner {
  testFiles(wanted: (path: string) => boolean): readonly string[];
  inProcesses(paths: readonly string[]): readonly (readonly string[])[];
}

/** What is said where the parts recorded this, as JSON or as a text that is none; and the exit code. */
async function summaryOf(recorded: Readonly<Record<string, unknown>>): Promise<{ lines: string[]; exitCode: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-gate-'));
  try {
    for (const [part, what] of Object.entries(recorded)) {
      await writeFile(join(folder, `${part}.json`), typeof what === 'string' ? what : JSON.stringify(what));
    }
    return await new Promise((resolve) => {
      execFile(process.execPath, [join(root, 'scripts', 'ci-summary.mjs'), folder], (error, stdout) => {
        resolve({ lines: stdout.trimEnd().split('\n'), exitCode: error === null ? 0 : Number(error.code) });
      });
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('the summary counts all parts together', async () => {
  const { lines, exitCode } = await summaryOf({
    conformance: { counts: { passed: 10, failed: 0, skipped: 1 } },
    'control-plane': { counts: { passed: 5, failed: 0, skipped: 0 } },
    scaffold: { counts: { passed: 3, failed: 0, skipped: 1 } },
    check: { passed: 6, failed: 0 },
  });
  assert.deepEqual({ lines, exitCode }, { lines: ['24 passed, 0 failed, 2 skipped'], exitCode: 0 });
});

test('a part that was ended before it recorded anything is named and has failed, and the last line is the summary', async () => {
  const { lines, exitCode } = await summaryOf({
    conformance: '',
    scaffold: { counts: { passed: 3, failed: 0, skipped: 0 } },
    check: { passed: 5, failed: 1 },
  });
  assert.equal(exitCode, 1);
  assert.deepEqual(
    lines.map((line) => line.replace(/ \(.*\)$/, '')),
    ['conformance: recorded nothing', 'control-plane: recorded nothing', '8 passed, 3 failed, 0 skipped'],
  );
});

test('every part of the gate has a limit, and the gate ends within 90 minutes', async () => {
  const lines = (await readFile(join(root, '.ci', 'run'), 'utf8')).split('\n');
  const parts = lines.filter((line) => /\b(npm|node) /.test(line) && !line.startsWith('#'));
  const limits = parts.map((line) => /^(?:part|timeout --kill-after=20) (\d+) /.exec(line)?.[1]);
  assert.equal(parts.length, 8);
  assert.ok(!limits.includes(undefined), `without a limit: ${parts[limits.indexOf(undefined)]}`);
  assert.ok(limits.reduce((sum, limit) => sum + Number(limit) + 20, 0) < LONGEST_S);
});

test('every test file runs in one process, and what changes its process has it for itself', async () => {
  const runner = (await import(pathToFileURL(join(root, 'scripts', 'run-tests.mjs')).href)) as Runner;
  const files = runner.testFiles(() => true);
  const processes = runner.inProcesses(files);
  assert.deepEqual(processes.flat().toSorted(), [...files].toSorted());
  const alone = processes.filter(({ length }) => length === 1).flat();
  assert.ok(alone.includes(join('packages', 'runtime', 'src', 'manager', 'settings', 'settings.test.ts')));
  assert.ok(processes.length < files.length);
});

test('of a file that is cut, the tests that had begun and not ended are named', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'kubewright-gate-')));
  try {
    await mkdir(join(folder, '.test-results'));
    const hangs = (title: string): string =>
      `test(${JSON.stringify(title)}, () => new Promise((r) => setTimeout(r, 1e6)));\n`;
    const head = "import { test } from 'node:test';\n";
    const loading = join(folder, '.test-results', 'several.test.mjs');
    await writeFile(loading, 'import "../two.test.mjs";\n');
    await writeFile(join(folder, 'two.test.mjs'), `${head}test('ends', () => {});\n${hangs('hangs')}`);
    const reporter = join(root, 'scripts', 'cut-tests-reporter.mjs');
    const flags = [
      '--test',
      '--test-timeout=2000',
      `--test-reporter=${reporter}`,
      '--test-reporter-destination=stdout',
    ];
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const told = await new Promise<string>((resolve) => {
      execFile(process.execPath, [...flags, loading], { env }, (_error, stdout) => resolve(stdout));
    });
    assert.match(
      told,
      /several\.test\.mjs was cut; these had begun and not ended:\n {2}hangs \(.*two\.test\.mjs:3\)\n/,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
