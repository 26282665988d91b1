// Loaded before each test file, as file-limit.mjs?ms=LIMIT. Kills the process of the test file if no test starts or ends for LIMIT
// milliseconds. The total time of a test file is not limited. Measures the time with a timer of the process itself, so that a process that
// gets no processor time on a busy machine does not exceed the limit.
const limitMs = Number(new URL(import.meta.url).searchParams.get('ms'));
const TURNS = 100;

// The test runner also loads this module in its own process, in which the variable is not set.
if (process.env.NODE_TEST_CONTEXT !== undefined) {
  let turns = 0;
  // Resets the limit after each write to the standard output, because a test process writes each start and each result of a test there.
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (...args) => {
    turns = 0;
    return write(...args);
  };
  setInterval(() => {
    if (++turns > TURNS) process.kill(process.pid, 'SIGKILL');
  }, limitMs / TURNS).unref();
}
