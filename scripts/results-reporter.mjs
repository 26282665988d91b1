// A reporter for node --test. At the end of the run, writes a record with the result and the duration of each test in milliseconds, the
// reason for each skipped test, the error of each failed test, the suites, and the processes with their exit codes and times. Each result
// contains the program of its process. Omits the tests that --test-name-pattern excludes.
import { relative } from 'node:path';
import { withoutExcluded } from './excluded-tests.mjs';
import { root } from './setup.mjs';
import { inSourcesOf } from './source-positions.mjs';

export default async function* results(events) {
  const tests = [];
  const suites = [];
  const processes = [];
  // The test runner sends all events of a process together.
  let program;
  for await (const { type, data } of withoutExcluded(inSourcesOf(events))) {
    if (type === 'kubewright:start') program = relative(root, data.program);
    if (type === 'kubewright:end') {
      const { exitCode, ms, cpuMs } = data;
      processes.push({ program, exitCode, ms, cpuMs });
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const test = resultOf(type, data);
    if (test !== undefined) tests.push({ ...test, program });
    else suites.push({ file: relative(root, data.file ?? ''), line: data.line, name: data.name, program });
  }
  yield `${JSON.stringify({ tests, suites, processes })}\n`;
}

/** Returns the result of a test. Returns undefined for suites, except suites that were skipped or failed outside of their tests. */
function resultOf(type, { name, file = '', line, skip, todo, details }) {
  const isSkipped = skip !== undefined || todo !== undefined;
  const isSuite = details?.type === 'suite';
  if (isSuite && type === 'test:pass' && !isSkipped) return undefined;
  if (isSuite && type === 'test:fail' && details.error?.failureType === 'subtestsFailed') return undefined;
  const outcome = type === 'test:fail' ? 'failed' : isSkipped ? 'skipped' : 'passed';
  const reason = typeof skip === 'string' && skip !== '' ? skip : 'no reason given';
  return {
    file: relative(root, file),
    line,
    name,
    outcome,
    ms: Math.round(details?.duration_ms ?? 0),
    ...(outcome === 'skipped' && { reason }),
    ...(outcome === 'failed' && { error: errorText(details?.error) }),
  };
}

/** Returns the text of an error of a test. The test runner wraps the error that the test throws. */
function errorText(error) {
  const cause = error?.cause ?? error;
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
