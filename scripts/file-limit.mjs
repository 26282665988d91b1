// Loaded before each test file, as file-limit.mjs?ms=LIMIT: ends the process of the file when its time is over. The runner of Node.js 20 and
// 22 does so itself; the runner of Node.js 24 limits each test, but not a process that something keeps running.
const limitMs = Number(new URL(import.meta.url).searchParams.get('ms'));

// The runner itself loads this module too, without a context.
if (process.env.NODE_TEST_CONTEXT !== undefined)
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), limitMs).unref();
