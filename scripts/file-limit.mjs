// Loaded before each test file, as file-limit.mjs?ms=LIMIT: kills the process of the file when no test has started or ended for LIMIT
// milliseconds. A file may run for any time while its tests make progress. The limit counts turns of a timer of this process instead of
// time, so that a process that waits for a slow machine does not reach the limit.
const limitMs = Number(new URL(import.meta.url).searchParams.get('ms'));
const TURNS = 100;

// The runner also loads this module in its own process, without a context.
if (process.env.NODE_TEST_CONTEXT !== undefined) {
  let turns = 0;
  // A test process reports each start and each result of a test on its standard output.
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (...args) => {
    turns = 0;
    return write(...args);
  };
  setInterval(() => {
    if (++turns > TURNS) process.kill(process.pid, 'SIGKILL');
  }, limitMs / TURNS).unref();
}
