import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The stored result of tests. */
interface Result {
  readonly key: string;
  readonly date: number;
  readonly cpuMs: number;
  readonly taken: number;
  readonly record: unknown;
}

/** The exports of scripts/results-cache.mjs. */
interface ResultsCache {
  readonly takeResults: (
    keys: readonly string[],
    options: { readonly rerun?: boolean; readonly folder: string; readonly print?: (line: string) => void },
  ) => ReadonlyMap<string, Result>;
  readonly dueResults: (results: readonly Omit<Result, 'record'>[]) => readonly Omit<Result, 'record'>[];
  readonly storeResult: (result: Omit<Result, 'taken'>, folder: string) => void;
  readonly removeResult: (key: string, folder: string) => void;
  readonly removeUnusedResults: (folder: string) => void;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const cache = (await import(pathToFileURL(join(root, 'scripts', 'results-cache.mjs')).href)) as ResultsCache;
const { dueResults, removeResult, removeUnusedResults, storeResult } = cache;

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-results-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

/** Stores a result that is so small that no run repeats it early. */
function store(key: string, folder: string): void {
  storeResult({ key, date: 1, cpuMs: 10, record: { tests: [key] } }, folder);
}

const takenKeys = (keys: readonly string[], folder: string, rerun = false): readonly string[] => [
  ...cache.takeResults(keys, { rerun, folder }).keys(),
];

test('takeResults returns a stored result until the result is removed', async (t) => {
  const folder = await temporaryFolder(t);
  store('a', folder);
  const taken = cache.takeResults(['a', 'b'], { rerun: false, folder });
  assert.deepEqual([...taken], [['a', { key: 'a', date: 1, cpuMs: 10, taken: 0, record: { tests: ['a'] } }]]);
  removeResult('a', folder);
  removeResult('b', folder);
  assert.deepEqual(takenKeys(['a', 'b'], folder), []);
});

test('takeResults returns no results if all tests must run', async (t) => {
  const folder = await temporaryFolder(t);
  store('a', folder);
  assert.deepEqual(takenKeys(['a'], folder, true), []);
  assert.deepEqual(takenKeys(['a'], folder), ['a']);
});

test('takeResults returns the same result at most three times, until its tests ran again', async (t) => {
  const folder = await temporaryFolder(t);
  store('a', folder);
  const runs = Array.from({ length: 5 }, () => takenKeys(['a'], folder).length);
  assert.deepEqual(runs, [1, 1, 1, 0, 0]);
  store('a', folder);
  assert.deepEqual(takenKeys(['a'], folder), ['a']);
});

test('takeResults ignores files with other contents, and prints their paths', async (t) => {
  const folder = await temporaryFolder(t);
  for (const key of ['good', 'other', 'cut', 'null', 'without-date']) store(key, folder);
  const path = (key: string): string => join(folder, `${key}.json`);
  const good = await readFile(path('good'), 'utf8');
  await writeFile(path('other'), good);
  await writeFile(path('cut'), good.slice(0, -5));
  await writeFile(path('null'), 'null');
  await writeFile(path('without-date'), good.replace('good', 'without-date').replace('"date":1,', ''));
  const lines: string[] = [];
  const keys = ['good', 'other', 'cut', 'null', 'without-date'];
  const taken = cache.takeResults(keys, { rerun: false, folder, print: (line) => lines.push(line) });
  assert.deepEqual([...taken.keys()], ['good']);
  assert.deepEqual(
    lines,
    ['other', 'cut', 'null', 'without-date'].map(
      (key) => `results cache: ignored ${path(key)}, because it does not contain the results of these tests`,
    ),
  );
});

test('removeUnusedResults deletes only the results that no run has stored or taken for 30 days', async (t) => {
  const folder = await temporaryFolder(t);
  const daysAgo = (days: number): Date => new Date(Date.now() - days * 24 * 60 * 60_000);
  const [fresh = '', old = '', used = ''] = ['a', 'b', 'c'].map((digit) => digit.repeat(64));
  store(old, folder);
  store(used, folder);
  const ages = { [`${old}.json`]: 31, [`${old}.json.7`]: 31, [`${used}.json`]: 29, 'of-the-user.json': 31 };
  for (const name of [`${old}.json.7`, 'of-the-user.json']) await writeFile(join(folder, name), '{}');
  for (const [name, days] of Object.entries(ages)) await utimes(join(folder, name), daysAgo(days), daysAgo(days));
  store(fresh, folder);
  removeUnusedResults(folder);
  removeUnusedResults(join(folder, 'missing'));
  assert.deepEqual((await readdir(folder)).toSorted(), [`${fresh}.json`, `${used}.json`, 'of-the-user.json']);
});

test('each result is repeated at least in every fourth run, and a run usually repeats at most a quarter of the processor time', () => {
  const sizes = [300, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 5, 5, 5, 35, 200];
  let results = sizes.map((cpuMs, at) => ({ key: String(at), cpuMs, date: 0, taken: 0 }));
  const total = sizes.reduce((sum, each) => sum + each, 0);
  const repeated: number[] = [];
  for (let run = 1; run <= 40; run++) {
    const due = dueResults(results);
    repeated.push(due.reduce((sum, { cpuMs }) => sum + cpuMs, 0));
    results = results.map((each) =>
      due.includes(each) ? { ...each, date: run, taken: 0 } : { ...each, taken: each.taken + 1 },
    );
    assert.ok(results.every(({ taken }) => taken <= 3));
  }
  const average = repeated.reduce((sum, each) => sum + each, 0) / repeated.length;
  assert.ok(average >= total * 0.25, `a run repeats ${average} of ${total}`);
  assert.ok(average <= total * 0.3, `a run repeats ${average} of ${total}`);
});

test('dueResults chooses the results that were taken most often, and then the oldest ones', () => {
  const result = (key: string, taken: number, date: number) => ({ key, taken, date, cpuMs: 10 });
  const results = [result('a', 1, 1), result('b', 2, 2), result('c', 2, 1), result('d', 0, 0)];
  assert.deepEqual(
    dueResults(results).map(({ key }) => key),
    ['c'],
  );
  assert.deepEqual(
    dueResults([...results, result('e', 3, 9), result('f', 3, 8)]).map(({ key }) => key),
    ['f', 'e'],
  );
});
