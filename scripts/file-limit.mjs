// Loaded before each test file, as file-limit.mjs?ms=LIMIT: kills the process of the file at its time limit. The runners of Node.js 20 and
// 22 have this limit themselves. The runner of Node.js 24 limits each test, but not a process that keeps running after its tests.
const limitMs = Number(new URL(import.meta.url).searchParams.get('ms'));

// The runner also loads this module in its own process, without a context.
if (process.env.NODE_TEST_CONTEXT !== undefined)
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), limitMs).unref();
