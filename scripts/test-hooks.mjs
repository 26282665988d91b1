// Loaded before each test file. The test runner of Node.js 20 maps each asynchronous resource to its test, and observes when each resource is
// destroyed. Because of this, V8 tracks the lifetime of every promise of the process. This module gives the runner a hook that stores the test
// in the resource itself, so that no lifetime has to be tracked.
import asyncHooks from 'node:async_hooks';

const { createHook, executionAsyncId, executionAsyncResource } = asyncHooks;
/** The property of a resource with the ID of its test. */
const TEST = Symbol('test');
/** The type of the resources that the runner creates for tests and suites. */
const TYPE = 'Test';

if (process.env.NODE_TEST_CONTEXT !== undefined && process.versions.node.startsWith('20.')) {
  Object.assign(asyncHooks, { createHook: createTestHook, executionAsyncId: testId });
  // The runner reads both functions when it is loaded.
  await import('node:test');
  Object.assign(asyncHooks, { createHook, executionAsyncId });
}

/** Returns a hook that calls `init` of the runner only for tests. Other resources inherit the test of the resource that creates them. */
function createTestHook({ init }) {
  return createHook({
    init(id, type, trigger, resource) {
      if (type === TYPE) {
        resource[TEST] = id;
        init(id, type, trigger, resource);
        return;
      }
      const test = executionAsyncResource()[TEST];
      if (test !== undefined) resource[TEST] = test;
    },
  });
}

/** Returns the ID of the current test, or of the current resource outside of tests. */
function testId() {
  return executionAsyncResource()[TEST] ?? executionAsyncId();
}
