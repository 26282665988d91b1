// Takes the results of tests from earlier runs with the same inputs, so that only the other tests run.
import { sep } from 'node:path';
import { resultKeys } from './result-keys.mjs';
import { removeResult, removeUnusedResults, storeResult, takeResults } from './results-cache.mjs';

/**
 * Divides groups of test files into `running`, the groups that must run, and `taken`, the results of the other groups from earlier runs.
 * The test files of a group run together. Also returns the function `store`, which stores new results.
 * - `name`: the name of the run, such as 'all'
 * - `groups`: the paths of the test files of each group
 * - `inputsOf`: returns the inputs of a group: `isInput` and `values` of `resultKeys`. The paths that it receives contain slashes.
 *
 * `store(outcomes)` stores the results of the groups in `running` for later runs. An outcome contains the `record`, the processor time
 * `cpuMs`, and whether all tests of the group passed or were skipped, as `isGreen`.
 */
export function earlierResults(name, groups, inputsOf) {
  const keys = keysOf(name, groups, inputsOf);
  const results = takeResults(keys);
  const mustRun = (key) => !results.has(key);
  return {
    running: groups.filter((_, at) => mustRun(keys[at])),
    taken: [...results.values()],
    store: (outcomes) => {
      const date = Date.now();
      // A test may have read a source before or after the source changed, so the result of a changed key belongs to neither key.
      const later = keysOf(name, groups, inputsOf).filter((_, at) => mustRun(keys[at]));
      for (const [at, key] of keys.filter(mustRun).entries()) {
        const { record, cpuMs, isGreen } = outcomes[at];
        if (!isGreen) removeResult(key);
        else if (later[at] === key) storeResult({ key, date, cpuMs, record });
      }
      removeUnusedResults();
    },
  };
}

/**
 * Describes the results from earlier runs for the record of a run: the numbers of groups and tests, the date of the oldest result, and the
 * share of the processor time that the run saved. Returns undefined if there are none.
 * - `taken` and `outcomes`: as in `earlierResults`
 * - `testsOf`: returns the number of tests of a record
 */
export function describeTaken(taken, outcomes, testsOf) {
  if (taken.length === 0) return undefined;
  const cpuMs = (results) => results.reduce((total, each) => total + each.cpuMs, 0);
  return {
    groups: taken.length,
    tests: taken.reduce((total, { record }) => total + testsOf(record), 0),
    oldest: Math.min(...taken.map(({ date }) => date)),
    share: cpuMs(taken) / (cpuMs(taken) + cpuMs(outcomes)),
  };
}

/** Returns a line about the results from earlier runs. `name` is the name of the run. */
export function takenLine(name, { groups, tests, oldest }) {
  const date = new Date(oldest).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ');
  const count = `${counted(tests, 'test')} in ${counted(groups, 'group')}`;
  return `${name}: ${count} passed before with the same sources, the oldest at ${date} UTC; to run all: KUBEWRIGHT_RERUN=1`;
}

function counted(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function keysOf(name, groups, inputsOf) {
  const keyOf = resultKeys();
  return groups
    .map((paths) => paths.map((path) => path.split(sep).join('/')))
    .map((files) => keyOf({ name, files, ...inputsOf(files) }));
}
