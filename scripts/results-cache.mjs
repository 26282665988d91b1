// The results of earlier test runs, in a cache outside the repository. A run takes the results of tests from the cache if nothing on
// which they depend has changed. Each run still repeats a part of these tests, so that a test that rarely fails is found.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.mjs';

/** The folder of the cache: KUBEWRIGHT_RESULTS_CACHE, or by default a folder in the cache of this user. */
export const resultsCache = process.env.KUBEWRIGHT_RESULTS_CACHE || join(cacheFolder, 'results');
/** The share of the processor time of all results in the cache that each run repeats. */
const REPEATED_SHARE = 1 / 4;
/** The maximum number of runs in a row that take the same result from the cache. */
const MOST_TAKEN = 3;
/** Matches the names of results and of their temporary files. Other files can exist in a folder that the user has chosen. */
const RESULT_FILE = /^[0-9a-f]{64}\.json(\.\d+)?$/;
/** The time after which the cache deletes a result that no run has taken. */
const UNUSED_MS = 30 * 24 * 60 * 60_000;

/**
 * Returns the results that a run takes from the cache, by key. The other tests must run: those without a result, and those that are due to
 * be repeated. Returns an empty map if `rerun` is true.
 * - `keys`: the keys of the results of the run
 * - `rerun`: whether all tests must run (default: whether KUBEWRIGHT_RERUN is set)
 * - `folder`: the folder of the cache (default: `resultsCache`)
 * - `print`: prints a line about each ignored file (default: `console.log`)
 */
export function takeResults(
  keys,
  { rerun = Boolean(process.env.KUBEWRIGHT_RERUN), folder = resultsCache, print = console.log } = {},
) {
  if (rerun) return new Map();
  const found = keys.flatMap((key) => readResult(key, { folder, print }) ?? []);
  const due = dueResults(found);
  const taken = found.filter((result) => !due.includes(result));
  for (const result of taken) write({ ...result, taken: result.taken + 1 }, folder);
  return new Map(taken.map((result) => [result.key, result]));
}

/**
 * Returns the results whose tests a run must repeat: those that the last three runs took from the cache, and the oldest ones that fit into
 * a quarter of the processor time of all `results`. Each test therefore runs in at least one of four runs.
 */
export function dueResults(results) {
  let remainingMs = results.reduce((total, { cpuMs }) => total + cpuMs, 0) * REPEATED_SHARE;
  return results
    .toSorted((a, b) => b.taken - a.taken || a.date - b.date || b.cpuMs - a.cpuMs)
    .filter(({ taken, cpuMs }) => {
      if (taken < MOST_TAKEN && cpuMs > remainingMs) return false;
      remainingMs -= cpuMs;
      return true;
    });
}

/**
 * Stores the result of tests that all passed or were skipped.
 * - `key`: the key of the result
 * - `date`: when the tests ran, in milliseconds
 * - `cpuMs`: the processor time of the tests in milliseconds
 * - `record`: the results of the tests
 */
export function storeResult({ key, date, cpuMs, record }, folder = resultsCache) {
  write({ key, date, cpuMs, record, taken: 0 }, folder);
}

/** Deletes the results that no run has stored or taken for 30 days, and no other files. */
export function removeUnusedResults(folder = resultsCache) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (!RESULT_FILE.test(name)) continue;
    const path = join(folder, name);
    // Another run can delete the same file.
    const { mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > UNUSED_MS) rmSync(path, { force: true });
  }
}

/** Deletes a result, because a repetition of its tests failed. */
export function removeResult(key, folder = resultsCache) {
  rmSync(pathOf(key, folder), { force: true });
}

/** Reads a result. Returns undefined if the result does not exist. If its file has another content, prints a line and returns undefined. */
function readResult(key, { folder, print }) {
  const path = pathOf(key, folder);
  if (!existsSync(path)) return undefined;
  try {
    const result = JSON.parse(readFileSync(path, 'utf8'));
    if (result.key === key && isResult(result)) return result;
  } catch {
    // The file is not JSON.
  }
  print(`results cache: ignored ${path}, because it does not contain the results of these tests`);
  return undefined;
}

function isResult({ date, cpuMs, taken, record }) {
  return [date, cpuMs, taken].every(Number.isFinite) && typeof record === 'object' && record !== null;
}

/** Writes a result to a temporary file, and then renames the file, so that other runs never read an incomplete result. */
function write(result, folder) {
  const path = pathOf(result.key, folder);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(result));
  renameSync(`${path}.${process.pid}`, path);
}

function pathOf(key, folder) {
  return join(folder, `${key}.json`);
}
