import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { test } from 'node:test';
import { machine, setUp } from '../test-support/controller-bench.js';
import { Result } from './reconciler/result.js';

const RECONCILES = 100;

/** Returns the number of promises that `RECONCILES` reconciles of one object create, including the promise of each `reconcile`. */
async function promisesOf(options: Parameters<typeof setUp>[1]): Promise<number> {
  let calls = 0;
  let patches = 0;
  let end: () => void = () => undefined;
  const { runner, machines, settle } = await setUp(
    async () => {
      calls++;
      if (calls < RECONCILES) runner.enqueue({ namespace: 'default', name: 'a' });
      else end();
      return Result.done();
    },
    options,
    {
      conditions: {
        patchStatus: async (object) => {
          patches++;
          return object;
        },
      },
    },
  );
  let promises = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'PROMISE') promises++;
    },
  });
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  machines.put({ ...machine('a'), status: { observedGeneration: 1 } } as never);
  hook.enable();
  await ended;
  hook.disable();
  await settle();
  assert.deepEqual([calls >= RECONCILES, patches], [true, 0]);
  return promises / RECONCILES;
}

test('a reconcile without a write creates at most 7 promises', async () => {
  const promises = await promisesOf({ reconcileCondition: false });
  assert.ok(promises <= 7, `${promises} promises`);
});
